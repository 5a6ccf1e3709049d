//! Methods and blocks of Ruby types that are left in Ruby, in runs without Ruby. No command reports a resource as in sync or changed whose
//! type has one, unless Puppet calls the method for messages alone, or never for such a resource.

use crate::common::site::Site;
use std::process::Command;

const BODY: &str = "Unknown::Thing.call(self)";

/// Methods of types.
const OF_TYPES: &[&str] = &[
    "generate",
    "eval_generate",
    "pre_run_check",
    "finish",
    "flush",
    "retrieve",
    "suitable?",
    "initialize(*args)",
    "set_parameters(h)",
    "to_resource",
    "title",
    "isomorphic?",
    "retrieve_resource",
    "properties",
    "insync?(is)",
    "uniqueness_key",
    "builddepends",
    "[](n)",
    "[]=(n, v)",
    "delete(a)",
    "should(n)",
    "managed?",
    "noop?",
    "appliable_to_host?",
    "present?(v)",
    "self.eachautorequire",
    "self.title_patterns",
    "self.suitable?",
    "self.defaultprovider",
    "self.new(h)",
];

/// Methods of properties. Puppet calls all of them in each run that changes the property.
const OF_PROPERTIES: &[&str] = &[
    "retrieve",
    "sync",
    "insync?(is)",
    "safe_insync?(is)",
    "should",
    "should=(v)",
    "value=(v)",
    "property_matches?(a, b)",
    "unsafe_validate(v)",
    "unsafe_munge(v)",
    "event",
    "default",
    "self.new(h)",
];

/// Methods of parameters.
const OF_PARAMS: &[&str] = &["value=(v)", "unsafe_validate(v)", "unsafe_munge(v)", "default", "value", "self.new(h)"];

/// Blocks of types, then of attributes.
const BLOCKS: [&[&str]; 2] = [
    &["autorequire(:file)", "autobefore(:file)", "autonotify(:file)", "autosubscribe(:file)", "validate"],
    &["validate", "munge", "defaultto"],
];

/// The parts of a type.
#[derive(Default)]
struct Parts {
    of_type: String,
    param: String,
    property: Option<String>,
}

impl Parts {
    /// Returns the type. Its property is always out of sync.
    fn text(&self) -> String {
        let property = self.property.as_ref().map_or(String::new(), |body| {
            let own = |name: &str, code: &str| {
                if body.contains(name) { String::new() } else { format!("    def {name}\n      {code}\n    end\n") }
            };
            format!("  newproperty(:p) do\n{body}{}{}  end\n", own("retrieve", "'1'"), own("sync", "nil"))
        });
        let (param, of_type) = (&self.param, &self.of_type);
        format!(
            "Puppet::Type.newtype(:hk) do\n  @doc = 'x'\n  newparam(:name, namevar: true)\n  newparam(:q) do\n{param}  end\n{property}{of_type}end\n"
        )
    }
}

fn method(name: &str) -> String {
    format!("  def {name}\n    {BODY}\n  end\n")
}

fn block(name: &str) -> String {
    format!("  {name} do |*v|\n    {BODY}\n  end\n")
}

/// Returns a type for each method and block, with its name.
fn types() -> Vec<(String, Parts)> {
    let of_type = |name: &str, text: String| {
        let plain = (format!("type {name}"), Parts { of_type: text.clone(), ..Parts::default() });
        [plain, (format!("type with a property {name}"), Parts { of_type: text, property: Some(String::new()), ..Parts::default() })]
    };
    let property = |name: &str, text: String| (format!("property {name}"), Parts { property: Some(text), ..Parts::default() });
    let param = |name: &str, text: String| (format!("parameter {name}"), Parts { param: text, ..Parts::default() });
    let [of_types, of_attributes] = BLOCKS;
    let mut all: Vec<_> = OF_TYPES.iter().flat_map(|name| of_type(name, method(name))).collect();
    all.extend(of_types.iter().flat_map(|name| of_type(name, block(name).replace(" do |*v|", " do"))));
    all.extend(OF_PROPERTIES.iter().map(|name| property(name, method(name))));
    all.extend(OF_PARAMS.iter().map(|name| param(name, method(name))));
    all.extend(of_attributes.iter().flat_map(|name| [property(name, block(name)), param(name, block(name))]));
    all
}

fn run(site: &Site, arguments: &[&str]) -> (String, i32) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rtype"));
    let output = command.current_dir(site.path()).args(arguments).args(["--modulepath", "modules", "--color", "never"]).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap();
    (text, output.status.code().unwrap())
}

#[test]
fn methods_left_in_ruby_are_reported_by_every_command() {
    let site = Site::new("");
    let mut wrong = Vec::new();
    let types = types();
    assert!(types.len() > 80, "{}", types.len());
    for (name, parts) in types {
        site.write("modules/x/lib/puppet/type/hk.rb", &parts.text());
        let p = if parts.property.is_some() { ", p => '2'" } else { "" };
        let path = site.path().join("none");
        site.write("site.pp", &format!("hk {{ 'a': q => '1'{p} }}\nfile {{ '{}': ensure => absent }}\n", path.display()));
        let state = ["--state-dir", "state", "site.pp"];
        for (command, arguments) in
            [("apply --noop", [&["apply", "--noop"][..], &state].concat()), ("apply", [&["apply"][..], &state].concat())]
        {
            let (text, status) = run(&site, &arguments);
            if status != 1 || !text.contains("Hk[a]") {
                wrong.push(format!("{command}: {name}: {status}\n{text}"));
            }
        }
        let (text, status) = run(&site, &["inspect", "--exit-code", "site.pp"]);
        // Relations do not affect the comparison.
        let is_reported = text.contains("unknown which file") || status != 0 && !text.contains("2 in sync");
        if !is_reported {
            wrong.push(format!("inspect: {name}: {status}\n{text}"));
        }
        let (text, status) = run(&site, &["resource", "hk"]);
        if status == 0 {
            wrong.push(format!("resource: {name}\n{text}"));
        }
    }
    assert!(wrong.is_empty(), "{}\n{}", wrong.len(), wrong.join("\n"));
}

/// A run that only predicts changes fails where the refresh would fail.
#[test]
fn refresh_left_in_ruby_fails_in_the_prediction_as_well() {
    let site = Site::new("");
    site.write("modules/x/lib/puppet/type/hk.rb", &Parts { of_type: method("refresh"), ..Parts::default() }.text());
    site.write("site.pp", "hk { 'a': }\nnotify { 'n': } ~> Hk['a']\n");
    for options in [&["apply", "--noop"][..], &["apply"]] {
        let (text, status) = run(&site, &[options, &["--state-dir", "state", "site.pp"]].concat());
        assert_eq!((status, text.contains("1 failed to refresh")), (1, true), "{options:?}: {text}");
    }
}
