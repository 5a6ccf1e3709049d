//! Comments at the beginning of Ruby files.

use assert_cmd::Command;
use std::path::Path;

#[test]
fn licences_are_kept() {
    const TYPE: &str = "Puppet::Type.newtype(:t) do\n  # inside\n  newparam(:name)\nend\n";
    let cases = [
        ("# Copyright A\n#\n#   Licence B\n", "# Copyright A\n#\n#   Licence B\n\ntype t {"),
        ("#!/usr/bin/ruby\n# frozen_string_literal: true\n\n# Copyright A\r\n\n# Docs\n", "# Copyright A\n\n# Docs\n\ntype t {"),
        ("# rubocop:disable all\n\n", "type t {"),
        ("require 'set'\n# later\n", "type t {"),
        ("", "type t {"),
    ];
    for (header, expected) in cases {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("t.rb");
        std::fs::write(&file, format!("{header}{TYPE}")).unwrap();
        let types = directory.path().join("types");
        let rtype = |arguments: &[&str], path: &Path| Command::cargo_bin("rtype").unwrap().args(arguments).arg(path).output().unwrap();
        let printed = String::from_utf8(rtype(&["import"], &file).stdout).unwrap();
        assert!(printed.starts_with(expected), "{printed}");
        assert!(rtype(&["import", &file.to_string_lossy(), "-o"], &types).status.success());
        assert_eq!(std::fs::read_to_string(types.join("t.rtype")).unwrap(), printed);
        assert!(rtype(&["fmt", "--check"], &types).status.success(), "{printed}");
    }
}
