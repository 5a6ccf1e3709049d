//! All text formats: list properties, entries with the same name, purging, and listing.

use super::declared::Lab;
use super::text_formats::{EXAMPLES, Example};

/// Returns two values that a property accepts.
fn elements(property: &str) -> [&'static str; 2] {
    match property {
        "environment" => ["X=1", "Y=2"],
        "minute" | "hour" | "weekday" | "month" | "monthday" | "pass" | "dump" => ["1", "2"],
        "ip" => ["10.0.0.7", "10.0.0.8"],
        _ => ["x1", "x2"],
    }
}

/// List properties that may be empty in the file.
const LISTS: &[(&str, &str)] = &[
    ("host", "host_aliases"),
    ("cron", "environment"),
    ("sshkey", "host_aliases"),
    ("ssh_authorized_key", "options"),
    ("kmod", "aliases"),
];

/// Lists that are empty if declared as `absent`, each with an equivalent declaration. In the other lists, `absent` is a name. As in Puppet,
/// an empty array leaves the options of a key unmanaged.
const ABSENT_LISTS: &[(&str, &str, &str)] = &[("cron", "environment", "[]"), ("ssh_authorized_key", "options", "absent")];

#[test]
fn absent_lists_are_empty_lists() {
    for (type_name, property, same) in ABSENT_LISTS {
        let example = EXAMPLES.iter().find(|example| example.type_name == *type_name).unwrap();
        let Example { head, entries: [first, entry, last], change, .. } = example;
        for text in [format!("{head}{first}{entry}{last}"), format!("{head}{first}{last}")] {
            let after = |form: &str| {
                let mut lab = example.lab(&text);
                lab.apply(&example.declared(&format!("{change}, {property} => {form}")));
                lab.read(example.path)
            };
            let empty = after(same);
            for form in ["absent", "'absent'", "['absent']"] {
                assert_eq!(after(form), empty, "{type_name} {property} => {form}");
            }
            assert!(!empty.contains("absent"), "{empty}");
        }
    }
}

#[test]
fn each_form_of_a_value_is_in_sync_after_one_run_or_refused() {
    let mut seen = 0;
    for example in EXAMPLES {
        let Example { head, entries: [first, entry, last], type_name, .. } = example;
        let texts = [format!("{head}{first}{entry}{last}"), format!("{head}{first}{last}")];
        for property in example.lab("").properties(type_name) {
            let [one, other] = elements(&property);
            let forms = [
                "[]".to_owned(),
                "'absent'".to_owned(),
                "''".to_owned(),
                "['']".to_owned(),
                format!("'{one}'"),
                format!("['{one}']"),
                format!("['{one}', '{one}']"),
                format!("['{one}', '{other}']"),
                "{}".to_owned(),
            ];
            // The path and the owner of the file are not values in the file.
            let is_place = ["target", "user"].contains(&property.as_str());
            if is_place || example.fixed.contains(&format!("{property} =>")) {
                continue;
            }
            for form in forms {
                let change = if example.change.starts_with(&format!("{property} =>")) { "" } else { example.change };
                let given: Vec<String> =
                    [change.to_owned(), format!("{property} => {form}")].into_iter().filter(|part| !part.is_empty()).collect();
                let manifest = example.declared(&given.join(", "));
                for text in &texts {
                    let mut lab = example.lab(text);
                    let is_list = LISTS.contains(&(*type_name, property.as_str()));
                    let must_work = is_list && form == "[]";
                    let result = lab.try_run(&manifest);
                    let failed = result.as_ref().map_or(true, |(_, counts)| counts.has_failed());
                    if failed {
                        assert!(!must_work, "{manifest}: {result:?}");
                        assert_eq!(lab.read(example.path), *text, "{manifest}: {result:?}");
                        continue;
                    }
                    let (events, counts) = lab.try_run(&manifest).unwrap();
                    assert!(counts.is_quiet(), "{manifest}\n{text:?}\n{:?}\n{events:?}", lab.read(example.path));
                    seen += 1;
                }
            }
        }
    }
    assert!(seen > 100, "{seen}");
}

#[test]
fn purging_removes_all_entries_and_lists_each_name_once() {
    for example in EXAMPLES {
        let Example { head, entries: [first, entry, last], type_name, .. } = example;
        let text = format!("{head}{first}{entry}{last}{entry}");
        let mut lab = example.lab(&text);
        let (listed, errors) = lab.list(type_name);
        if !errors.is_empty() {
            let errors = errors.join("\n");
            assert!(listed.is_empty() && errors.contains("cannot be listed"), "{type_name}: {listed}\n{errors}");
            continue;
        }
        assert!(listed.matches(&format!("{type_name} {{ '{}", example.title)).count() == 1, "{listed}");
        let events = lab.apply(&format!("resources {{ '{type_name}': purge => true }}"));
        let left = String::from_utf8(lab.bytes(example.path)).unwrap();
        assert_eq!(left, *head, "{type_name}: {events:?}");
    }
}

#[test]
fn jobs_with_the_same_name_in_several_crontabs_are_purged() {
    let tabs = "/var/spool/cron/crontabs";
    let run = |bob: &str, eve: &str, manifest: &str| {
        let mut lab = EXAMPLES[3].lab("").with(&format!("{tabs}/bob"), bob).with(&format!("{tabs}/eve"), eve);
        let events = lab.apply(&format!("{manifest}\nresources {{ 'cron': purge => true }}"));
        (lab.read(&format!("{tabs}/bob")), lab.read(&format!("{tabs}/eve")), events)
    };
    let job = |command: &str| format!("# Puppet Name: a\n@daily {command}\n");
    let gone = || "\n".to_owned();
    let declared = |user: &str, command: &str| format!("cron {{ 'a': user => '{user}', command => '{command}', special => 'daily' }}");
    for (bob, eve) in [("x", "x"), ("x", "y")] {
        let (in_bobs, in_eves, events) = run(&job(bob), &job(eve), "");
        assert_eq!((in_bobs, in_eves), (gone(), gone()), "{events:?}");
        let (in_bobs, in_eves, events) = run(&job(bob), &job(eve), &declared("bob", bob));
        assert_eq!((in_bobs, in_eves), (job(bob), gone()), "{events:?}");
        let (in_bobs, in_eves, events) = run(&job(bob), &job(eve), &declared("eve", eve));
        assert_eq!((in_bobs, in_eves), (gone(), job(eve)), "{events:?}");
    }
    let many = [job("x"), job("x"), job("y")].concat();
    let (in_bobs, in_eves, events) = run(&many, &many, &declared("eve", "y"));
    assert_eq!((in_bobs, in_eves), (gone(), job("y")), "{events:?}");
}

#[test]
fn jobs_are_purged_however_their_lines_are_written() {
    let tab = EXAMPLES[3].path;
    for line in [
        "0 1 * jan mon c",
        "@daily c ",
        "0-10/2,30 */3 1-5 Jan,2 *\tc  d",
        "0 1 * * 7 c\r",
        "0 1 * * mon-fri c",
        "1,1 0 1, * * c",
        "@reboot c % d",
    ] {
        let mut lab = EXAMPLES[3].lab(&format!("# by hand\n{line}\n"));
        let events = lab.apply("resources { 'cron': purge => true }");
        assert_eq!(lab.read(tab), "# by hand\n", "{line:?}: {events:?}");
    }
}

#[test]
fn settings_in_files_that_depend_on_the_resource_are_not_listed() {
    let types = r#"type app { ensurable; newparam name; newparam file; newproperty value }
        provider ini, for: app { keyed value; file_path { "/etc/#{self.file}.conf" }; section "s"; setting { self.name } }
        type other { ensurable; newparam name; newparam file; newproperty value }
        provider lines, for: other { records; file_path { self.file }; parse { |l| {name: l} }; print { |r| r[:name] } }
        type fixed { ensurable; newparam name; newproperty value }
        provider ini, for: fixed { keyed value; file_path "/etc/fixed"; section "s"; setting { self.name } }
        type helped { ensurable; newparam name; newparam file; fn path() { "/etc/#{self.file}.conf" }; newproperty value }
        provider ini, for: helped { keyed value; file_path { path() }; section "s"; setting { self.name } }
        type child { ensurable; newparam name; newparam path; newparam section; newparam setting; newproperty value }
        provider ini, for: child, parent: "ini_setting/ruby" { file_path { "/etc/#{self.name}.conf" }; section "s"; setting { self.name } }
        type whole { ensurable; newparam name; newproperty value }
        provider ini, for: whole { keyed value; file_path "/etc/fixed"; all_in_section "t"; section "t"; setting { self.name } }
        type moved { ensurable; newparam name; newproperty value }
        provider ini, for: moved { keyed value; file_path "/etc/fixed"; all_in_section "t"; section { self.name =~ /a/ ? "s" : "t" }; setting { self.name } }
        type parts { ensurable; newparam name; newproperty value }
        provider ini, for: parts { keyed value; file_path "/etc/fixed"; section { self.name }; setting "a" }
        type colon { ensurable; newparam name; newproperty value }
        provider ini, for: colon { keyed value; file_path "/etc/fixed"; section { self.name.split(":").first }; setting { self.name.split(":").last } }"#;
    let lab = || Lab::new(&[]).types(types).with("/etc/fixed", "[s]\na = 1\nb = 2\n[t]\na = 3\n");
    for name in ["app", "other", "helped", "child"] {
        let (listed, errors) = lab().list(name);
        assert!(listed.is_empty() && errors.concat().contains("`file_path` depends on the resource"), "{listed} {errors:?}");
    }
    let (listed, errors) = lab().list("colon");
    assert!(listed.is_empty() && errors.concat().contains("the file has no setting for the title"), "{listed} {errors:?}");
    let (listed, errors) = lab().list("moved");
    assert!(listed.is_empty() && errors.concat().contains("another setting has the title `a`"), "{listed} {errors:?}");
    assert_eq!(lab().list("whole").0.matches("whole {").count(), 1);
    let mut purged = lab();
    purged.apply("fixed { 'a': value => '1' }\nresources { 'fixed': purge => true }");
    assert_eq!(purged.read("/etc/fixed"), "[s]\na = 1\n[t]\na = 3\n");
    let mut purged = lab();
    purged.apply("parts { 't': value => '3' }\nresources { 'parts': purge => true }");
    assert_eq!(purged.read("/etc/fixed"), "[s]\nb = 2\n[t]\na = 3\n");
}

/// Recipients, each with the form in the file. `postalias -q` of Postfix 3.7.11 prints this form unchanged.
const RECIPIENTS: &[(&str, &str)] = &[
    (r"a\b", r#""a\\b""#),
    (r#""q""#, r#""\"q\"""#),
    (r#"x"y"#, r#""x\"y""#),
    ("a b", r#""a b""#),
    (r#"|"/bin/x" -y"#, r#""|\"/bin/x\" -y""#),
    (r#""a b"@c"#, r#""\"a b\"@c""#),
    ("(c)", r#""(c)""#),
    ("A <a@b>", r#""A <a@b>""#),
    ("a:b", r#""a:b""#),
    ("[x]", r#""[x]""#),
    ("a,b", r#""a,b""#),
    ("u@[1.2.3.4]", r#""u@[1.2.3.4]""#),
    ("-a", "-a"),
    (r"\x y", r#""\\x y""#),
    (r#"|/x "a\\b""#, r#""|/x \"a\\\\b\"""#),
    ("a..b", "a..b"),
    (":x", r#"":x""#),
];

/// Contents of an aliases file, each with the recipients that `postalias -q q` of Postfix 3.7.11 printed.
const ALIASES: &[(&str, &[&str])] = &[
    ("q: one,\n  two\n", &["one", "two"]),
    ("q: one,\n\ttwo@x\n", &["one", "two@x"]),
    ("q: \"|/bin/x y\"\n  , z\n", &["|/bin/x y", "z"]),
    ("q: one,\n# c\n  two\n", &["one", "two"]),
    ("q: one,\n\n  two\n", &["one", "two"]),
    ("# c\n  one\nq: two\n", &["two"]),
    ("\"q\": one\n", &["one"]),
    ("Q: one\n", &["one"]),
    ("q: one\nq: two\n", &["one"]),
    ("q : one\n", &["one"]),
    ("q: a , , b\n", &["a", "b"]),
    ("q: \"a,b\", c\n", &["a,b", "c"]),
    ("q:one\n", &["one"]),
];

#[test]
fn aliases_are_written_and_read_as_postalias_reads_them() {
    let aliases = EXAMPLES.iter().find(|example| example.type_name == "mailalias").unwrap();
    let quoted = |text: &str| format!("'{}'", text.replace('\\', r"\\").replace('\'', r"\'"));
    for (recipient, written) in RECIPIENTS {
        let mut lab = aliases.lab("");
        let events = lab.apply(&format!("mailalias {{ 'q': recipient => [{}, 'last'] }}", quoted(recipient)));
        assert_eq!(lab.read(aliases.path), format!("q: {written},last\n"), "{events:?}");
    }
    for (text, recipients) in ALIASES {
        let listed: Vec<String> = recipients.iter().map(|recipient| quoted(recipient)).collect();
        let events = aliases.lab(text).apply(&format!("mailalias {{ 'q': recipient => [{}] }}", listed.join(", ")));
        assert!(events.is_empty(), "{text:?}: {events:?}");
    }
}

#[test]
fn packages_declared_with_an_architecture_are_not_purged() {
    let package = |(name, architecture): (&str, &str)| {
        format!("Package: {name}\nStatus: install ok installed\nVersion: 1\nArchitecture: {architecture}\n\n")
    };
    let installed =
        [("dpkg", "amd64"), ("curl", "amd64"), ("doc", "all"), ("lib", "amd64"), ("lib", "i386"), ("old", "amd64"), ("wine", "i386")];
    let status = "/var/lib/dpkg/status";
    // Removes the records of the packages after `--`.
    let remove = r#"while [ "$1" != -- ]; do shift; done; shift
        for name; do
            case $name in *:native | lib) architecture=amd64 ;; *:*) architecture=${name#*:} ;; *) architecture=.* ;; esac
            awk -v RS= -v ORS='\n\n' -v package="Package: ${name%:*}" -v architecture="Architecture: $architecture" \
                '!(index($0, package "\n") == 1 && $0 ~ architecture)' ROOT/var/lib/dpkg/status > ROOT/new
            cat ROOT/new > ROOT/var/lib/dpkg/status
        done"#;
    let run = |declared: &[&str]| {
        let lab = ["apt-cache", "apt-mark", "dpkg", "dpkg-deb", "dpkg-query", "debconf-set-selections"];
        let lab = lab.into_iter().fold(Lab::new(&[]), |lab, program| lab.program(program, ":")).program("apt-get", remove);
        let mut lab = lab.with("/etc/os-release", "ID=debian\nVERSION_ID=12\n").with(status, &installed.map(package).concat());
        let declared: String = declared.iter().map(|name| format!("package {{ '{name}': ensure => present }}\n")).collect();
        let events = lab.apply(&format!("{declared}resources {{ 'package': purge => true }}"));
        let left = lab.read(status);
        let field = |line: &str, name: &str| line.strip_prefix(name).map(str::to_owned);
        let left: Vec<String> = left
            .split("\n\n")
            .filter_map(|package| {
                let [name, architecture] = ["Package: ", "Architecture: "].map(|name| package.lines().find_map(|line| field(line, name)));
                Some(format!("{}:{}", name?, architecture?))
            })
            .collect();
        assert!(events.iter().all(|event| !event.contains("failed")), "{events:?}");
        left
    };
    assert_eq!(
        run(&["dpkg", "curl:amd64", "doc:native", "lib:amd64", "wine:i386"]),
        ["dpkg:amd64", "curl:amd64", "doc:all", "lib:amd64", "wine:i386"]
    );
    assert_eq!(run(&["dpkg:native", "curl", "doc:all", "lib:i386"]), ["dpkg:amd64", "curl:amd64", "doc:all", "lib:i386"]);
    assert_eq!(run(&["dpkg:any", "lib", "wine"]), ["dpkg:amd64", "lib:amd64", "wine:i386"]);
}

/// Returns the Rust sources of the program, without tests.
fn sources(directory: &std::path::Path, into: &mut Vec<(String, String)>) {
    for entry in std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()) {
        let name = entry.to_string_lossy().into_owned();
        if entry.is_dir() && !name.ends_with("/tests") {
            sources(&entry, into);
        } else if name.ends_with(".rs") && !name.ends_with("/tests.rs") {
            let text = std::fs::read_to_string(&entry).unwrap();
            into.push((name, text.split("#[cfg(test)]").next().unwrap().to_owned()));
        }
    }
}

/// Only `crates/lang/src/data` reads YAML and JSON of users, because other parsers round large integers, and read YAML 1.2.
#[test]
fn values_of_yaml_and_json_have_one_reader() {
    let mut all = Vec::new();
    for directory in std::fs::read_dir("crates").unwrap() {
        sources(&directory.unwrap().path().join("src"), &mut all);
    }
    sources(std::path::Path::new("src"), &mut all);
    assert!(all.len() > 500, "{}", all.len());
    for (name, text) in all.iter().filter(|(name, _)| !name.starts_with("crates/lang/src/data/")) {
        for parser in ["granit_parser", "serde_yaml", "yaml_rust"] {
            assert!(!text.contains(parser), "{name} uses {parser}; use `rtype_lang::data::parse_yaml`");
        }
        let parses = [": Json = serde_json::from_", ": serde_json::Value = serde_json::from_", "::<Json>(", "::<serde_json::Value>("]
            .iter()
            .any(|call| text.contains(call));
        let converts = ["Value::from_json", "Value::from_rich_json"].iter().any(|call| text.contains(call));
        assert!(!(parses && converts), "{name} parses JSON values with serde_json; use `rtype_lang::data::parse_json`");
    }
}
