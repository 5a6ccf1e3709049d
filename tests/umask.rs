//! Files that a run creates belong to root: with the umask 000, other users must not be able to write to them either.

use crate::common::site::Site;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// A resource for each type of the standard library that writes files; `@` is the directory.
const WRITING: &[(&str, &str)] = &[
    ("archive", "archive { '@/new/archive.txt': source => 'file://@/source.txt' }"),
    (
        "concat_file",
        "concat_file { '@/new/concat': tag => 'c' }\nconcat_fragment { 'c': tag => 'c', target => '@/new/concat', content => 'x' }",
    ),
    ("exec", "exec { '/bin/touch @/new/exec': creates => '@/new/exec' }"),
    (
        "file",
        "file { '@/new/directory': ensure => directory }\nfile { '@/new/file': content => 'x' }\nfile { '@/new/copy': source => '@/source.txt' }",
    ),
    ("file_line", "file { '@/new/lines': ensure => file, replace => false }\n-> file_line { 'l': path => '@/new/lines', line => 'x' }"),
    ("host", "host { 'a': ip => '::1', target => '@/new/hosts' }"),
    ("ini_setting", "ini_setting { 'i': path => '@/new/a.ini', section => 's', setting => 'a', value => 'b' }"),
    ("ini_subsetting", "ini_subsetting { 'i': path => '@/new/b.ini', setting => 'a', subsetting => 'b', value => 'c' }"),
    ("mailalias", "mailalias { 'a': recipient => 'b', target => '@/new/aliases' }"),
    ("mount", "mount { '/nowhere/umask': ensure => present, device => 'x', fstype => 'ext4', target => '@/new/fstab' }"),
    ("ssh_authorized_key", "ssh_authorized_key { 'a': user => 'root', type => 'ssh-rsa', key => 'AAAA', target => '@/new/keys' }"),
    ("sshkey", "sshkey { 'a': type => 'ssh-rsa', key => 'AAAA', target => '@/new/known_hosts' }"),
    ("sysctl", "sysctl { 'vm.a': val => '1', target => '@/new/sysctl.conf' }"),
    ("vcsrepo", "vcsrepo { '@/new/repository': ensure => present, provider => git }"),
];

/// Types without a row: they write no files, or only files of the machine itself, through its programs.
const OTHERS: &[&str] = &[
    "alternative_entry",
    "alternatives",
    "anchor",
    "augeas",
    "concat_fragment",
    "cron",
    "filebucket",
    "group",
    "kmod",
    "notify",
    "package",
    "posix_acl",
    "prelude",
    "resources",
    "schedule",
    "service",
    "stage",
    "sysctl_runtime",
    "tidy",
    "user",
];

fn files(directory: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && !path.is_symlink() {
            files(&path, found);
        }
        found.push(path);
    }
}

#[test]
fn no_type_creates_files_that_others_can_write() {
    if !nix::unistd::Uid::effective().is_root() {
        return;
    }
    let names = std::fs::read_dir("stdlib-types").unwrap().map(|entry| entry.unwrap().path().file_stem().unwrap().to_owned());
    let mut names: Vec<String> = names.map(|name| name.into_string().unwrap()).collect();
    names.sort();
    let mut known: Vec<&str> = WRITING.iter().map(|(name, _)| *name).chain(OTHERS.iter().copied()).collect();
    known.sort_unstable();
    assert_eq!(names, known);
    for (name, manifest) in WRITING {
        let site = Site::new(manifest);
        site.write("source.txt", "x");
        site.write("new/kept", "");
        let script = format!("mkdir state && umask 000 && exec {} apply --state-dir state site.pp", env!("CARGO_BIN_EXE_rtype"));
        let output = std::process::Command::new("sh").args(["-c", &script]).current_dir(site.path()).output().unwrap();
        assert!(output.status.success(), "{name}: {output:?}");
        let mut found = Vec::new();
        files(&site.path().join("new"), &mut found);
        files(&site.path().join("state"), &mut found);
        assert!(found.len() > 2, "{name}: {output:?}");
        for path in found.iter().filter(|path| !path.is_symlink()) {
            let mode = std::fs::metadata(path).unwrap().permissions().mode() & 0o7777;
            assert_eq!(mode & 0o022, 0, "{name}: {} has the mode {mode:o}", path.display());
        }
    }
}
