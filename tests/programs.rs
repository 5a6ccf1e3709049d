//! Checks of manifests that need a compiler: each `programs/*.pp` is one; the snapshot has the findings, and what was not checked.

use crate::common;
use rtype::app::input::types_in;
use rtype_author::check::{self, Input, Selection};
use rtype_lang::eval::UnknownWorld;
use rtype_provider::NativeProviders;

#[test]
fn manifests_are_checked_without_a_compiler() {
    insta::glob!("programs/*.pp", |path| {
        let mut library = types_in(Vec::new());
        let source = library.sources.add("site.pp", std::fs::read_to_string(path).unwrap()).unwrap();
        let natives = NativeProviders::standard();
        let checked = check::run(&[Input::Resources(source)], Vec::new(), &mut library, &natives, &UnknownWorld, &Selection::default());
        let limits = checked.not_checked_text().unwrap_or_default();
        let found: Vec<_> = checked.findings.into_iter().map(|finding| finding.diagnostic).collect();
        common::assert_fixture(path, &format!("{}{limits}\n", common::show(&found, &library.sources)));
    });
}

#[test]
fn modules_of_a_control_repository_are_those_of_its_module_path() {
    let site = tempfile::tempdir().unwrap();
    let put = |path: &str, text: &str| {
        let path = site.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    put("environment.conf", "modulepath = site-modules:modules:$basemodulepath:/etc/elsewhere:../outside\n");
    put("manifests/site.pp", "node default {\n  include role::web\n  include role::wed\n  include absent::thing\n}\n");
    put(
        "site-modules/role/manifests/web.pp",
        "class role::web {\n  include profile::nginx\n  include profile::ngnix\n  include ntp::nothing\n}\n",
    );
    put("site-modules/profile/manifests/nginx.pp", "class profile::nginx {\n  notice($ntp::servers, $ntp::server)\n}\n");
    put("modules/ntp/manifests/init.pp", "class ntp($servers = []) { }\n");
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_rtype"));
    let output = command.current_dir(site.path()).args(["check", "--format", "concise", "."]).output().unwrap();
    let found = String::from_utf8(output.stdout).unwrap();
    let expected = "manifests/site.pp:3:11: RM046 the module `role` has no class `role::wed`\n\
                    site-modules/profile/manifests/nginx.pp:2:25: RM041 the class `ntp` has no variable `$server`\n\
                    site-modules/role/manifests/web.pp:3:11: RM046 the module `profile` has no class `profile::ngnix`\n\
                    site-modules/role/manifests/web.pp:4:11: RM046 the module `ntp` has no class `ntp::nothing`\n";
    assert_eq!(found, expected);
}
