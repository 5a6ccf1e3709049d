//! Resources that need a block left in Ruby.

use super::in_one_line;
use crate::common::site::Site;

/// Every kind of block left in Ruby fails its resource, with a message about the reason. Other resources are applied.
#[test]
fn no_untranslated_block_is_skipped() {
    let of_type = ["validate", "finalize", "canonicalize", "pre_run_check", "generate", "eval_generate", "refresh"];
    let relations = ["autorequire, file", "autobefore, file", "autonotify, file", "autosubscribe, file"];
    let of_attribute = ["validate", "munge", "unmunge", "insync", "retrieve", "sync"];
    let blocks = of_type.iter().chain(&relations).map(|block| (*block, false)).chain(of_attribute.iter().map(|block| (*block, true)));
    for (block, is_attribute) in blocks {
        let site = Site::new("file { '@/other': ensure => file } ~> knob { 'a': ensure => present, value => '1' }\n");
        let left = format!("untranslated {block}, \"`Dial.turn` is not supported\"");
        let (of_value, of_type) = if is_attribute { (left.as_str(), "") } else { ("", left.as_str()) };
        let provider =
            "provider ini, for: knob, parent: \"ini_setting/ruby\" { file_path \"@/x.ini\"; section \"s\"; setting { self.name } }";
        let types = format!("type knob {{\nensurable\nnewparam name\nnewproperty value {{ {of_value} }}\n{of_type}\n}}\n{provider}\n");
        std::fs::create_dir(site.path().join("types")).unwrap();
        site.write("types/knob.rtype", &types);
        // These blocks run only if the resource exists.
        let before = ["insync", "retrieve", "sync"].contains(&block).then_some("[s]\na = 0\n");
        if let Some(before) = before {
            site.write("x.ini", before);
        }
        let types = site.path().join("types").to_string_lossy().into_owned();
        let (text, status) = site.apply(&["site.pp", "--types", &types]);
        assert_eq!(status, 1, "{block}: {text}");
        assert!(in_one_line(&text).contains("`Dial.turn` is not supported"), "{block}: {text}");
        assert!(site.path().join("other").exists(), "{block}: {text}");
        // The refresh comes after the change.
        let after = std::fs::read_to_string(site.path().join("x.ini")).ok();
        assert!(if block == "refresh" { after.is_some() } else { after.as_deref() == before }, "{block}: {after:?} {text}");
    }
}

/// As in Puppet, an untranslated `validate` replaces the check of the listed values.
#[test]
fn listed_values_next_to_an_untranslated_check_are_not_required() {
    let site = Site::new("knob { 'a': value => other }\n");
    std::fs::create_dir(site.path().join("types")).unwrap();
    let value = "newproperty value { newvalues on, off; untranslated validate, \"`Dial.check` is not supported\" }";
    site.write("types/knob.rtype", &format!("type knob {{\nnewparam name\n{value}\n}}\n"));
    let mut check = std::process::Command::new(env!("CARGO_BIN_EXE_rtype"));
    let output = check.args(["check", "--types", "types", "site.pp", "--verbose"]).current_dir(site.path()).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert!(text.contains("not checked: `Dial.check` is not supported"), "{text}");
}
