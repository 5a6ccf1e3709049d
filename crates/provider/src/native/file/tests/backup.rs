//! Backups of files, in the directory of the file and in a bucket.

use super::*;

#[test]
fn the_old_content_is_kept_beside_the_new() {
    let m = Machine::new();
    m.has("/f", "old");
    fs::set_permissions(m.at("/f"), Permissions::from_mode(0o600)).unwrap();
    let kept = |content| file(content).with("backup", ".bak");
    m.act("/f", &kept("new"), "content").unwrap();
    assert_eq!((m.text("/f").as_str(), m.text("/f.bak").as_str(), m.mode("/f.bak")), ("new", "old", 0o600));
    m.act("/f", &kept("newer"), "content").unwrap();
    assert_eq!(m.text("/f.bak"), "new");
    fs::remove_file(m.at("/f.bak")).unwrap();
    fs::create_dir(m.at("/f.bak")).unwrap();
    assert!(m.refusal("/f", &kept("x"), "content").starts_with("Will not remove directory backup /f.bak"));
    assert_eq!(m.text("/f"), "newer");
    fs::create_dir_all(m.at("/d/below")).unwrap();
    m.has("/d/below/f", "deep");
    m.act("/d", &File::default().with("backup", ".bak").with("force", yes()), "destroy").unwrap();
    assert_eq!(m.text("/d.bak/below/f"), "deep");
}

#[test]
fn a_bucket_keeps_content_by_its_checksum_for_root_alone() {
    let m = Machine::new();
    m.has("/f", "old");
    let kept = |content| file(content).with("backup", "puppet");
    let notes = m.act("/f", &kept("new"), "content").unwrap();
    let sum = "3a4d8e44cc3f5fbb7d4b9e3d4a7e6b83a4f4e4f3f5a4d2b6ea25ad84c3e4d5f0";
    let sum = digest::hex("sha256", b"old").unwrap_or(sum.into());
    let bucket: String = sum.chars().take(8).flat_map(|c| [c, '/']).collect();
    let bucket = format!("/var/lib/rtype/bucket/{bucket}{sum}");
    assert_eq!(m.text(&format!("{bucket}/contents")), "old");
    assert_eq!(m.text(&format!("{bucket}/paths")), "/f\n");
    assert_eq!((m.mode(&format!("{bucket}/contents")), m.mode(&bucket), m.mode("/var/lib/rtype/bucket")), (0o600, 0o700, 0o700));
    assert_eq!(notes, [(LogLevel::Info, format!("Filebucketed /f to puppet with sum {sum}"))]);
    m.has("/g", "old");
    m.act("/g", &kept("x"), "content").unwrap();
    assert_eq!(m.text(&format!("{bucket}/paths")), "/f\n/g\n");
    // The checksum is then as good as the content.
    let again: &'static str = Box::leak(format!("{{sha256}}{sum}").into_boxed_str());
    m.act("/h", &file(again), "create_file").unwrap();
    assert_eq!(m.text("/h"), "old");
    assert!(m.refusal("/h", &file("{sha256}0000000000"), "content").starts_with("Could not retrieve content for 0000000000"));
}

#[test]
fn what_is_in_the_way_of_a_kept_content_is_renamed_with_a_warning() {
    let m = Machine::new();
    let directory = kept_at("old");
    for name in ["contents", "paths"] {
        fs::create_dir_all(m.at(&format!("{directory}/{name}"))).unwrap();
    }
    m.has("/f", "old");
    let notes = m.act("/f", &file("new").with("backup", "puppet"), "content").unwrap();
    let warnings: Vec<&String> = notes.iter().filter(|(level, _)| *level == LogLevel::Warning).map(|(_, text)| text).collect();
    assert_eq!(warnings.len(), 2, "{notes:?}");
    for (name, warning) in ["contents", "paths"].iter().zip(warnings) {
        assert!(warning.contains(&format!("/{name} cannot be used: it is a directory, not a regular file; renamed to ")), "{warning}");
    }
    assert_eq!(m.text(&format!("{directory}/contents")), "old");
}

/// Returns the directory of a content in the bucket.
fn kept_at(content: &str) -> String {
    let sum = digest::hex("sha256", content.as_bytes()).unwrap_or_default();
    let directory: String = sum.chars().take(8).flat_map(|c| [c, '/']).collect();
    format!("/var/lib/rtype/bucket/{directory}{sum}")
}

#[test]
fn renamed_entries_are_reported_if_a_later_file_cannot_be_kept() {
    let m = Machine::new();
    fs::create_dir_all(m.at("/d")).unwrap();
    m.has("/d/a", "old");
    m.has("/d/b", "other");
    fs::create_dir_all(m.at(&format!("{}/contents", kept_at("old")))).unwrap();
    fs::create_dir_all(m.at(&kept_at("other")).parent().unwrap()).unwrap();
    m.has(&kept_at("other"), "a file in place of the directory");
    let wanted = File::default().with("backup", "puppet").with("force", yes());
    let is = Reading::Absent;
    let mut change = Change::new(Request { name: "/d", resource: &wanted }, &is);
    let error = Posix.call(&m.system, &mut change, "destroy", &[]).unwrap_err();
    assert!(error.to_string().starts_with("Could not back /d up: "), "{error}");
    let levels: Vec<LogLevel> = change.messages.iter().map(|(level, _)| *level).collect();
    assert_eq!(levels, [LogLevel::Warning, LogLevel::Info]);
    assert_eq!((m.text("/d/a"), m.text("/d/b")), ("old".to_owned(), "other".to_owned()));
}

#[test]
fn a_bucket_keeps_the_files_of_a_replaced_directory() {
    let m = Machine::new();
    let kept = || File::default().with("backup", "puppet").with("force", yes());
    fs::create_dir_all(m.at("/d/below")).unwrap();
    m.has("/d/below/f", "deep");
    let notes: Vec<String> = m.act("/d", &kept(), "destroy").unwrap().into_iter().map(|(_, text)| text).collect();
    assert!(matches!(notes.as_slice(), [one] if one.starts_with("Filebucketed /d/below/f to puppet with sum ")), "{notes:?}");
    // With `recurse`, its files are resources of their own, which keep their content themselves.
    fs::create_dir(m.at("/e")).unwrap();
    m.has("/e/f", "deep");
    assert_eq!(m.act("/e", &kept().with("recurse", yes()), "destroy").unwrap(), []);
    m.has("/g", "old");
    let notes = m.act("/g", &file("new").with("backup", "puppet").with("recurse", yes()), "content").unwrap();
    assert_eq!(notes.len(), 1, "{notes:?}");
}

#[test]
fn the_backup_of_a_link_is_the_file_that_it_leads_to() {
    let m = Machine::new();
    m.has("/f", "old");
    let link = |name: &str| symlink("f", m.at(name)).unwrap();
    link("/l");
    m.act("/l", &File::default().with("backup", ".bak"), "destroy").unwrap();
    assert_eq!((m.text("/l.bak").as_str(), m.text("/f").as_str()), ("old", "old"));
    assert!(!m.at("/l.bak").symlink_metadata().unwrap().is_symlink());
    // What it leads to stays, so a bucket gets no copy.
    link("/l");
    assert_eq!(m.act("/l", &File::default().with("backup", "puppet"), "destroy").unwrap(), []);
    // Without a file there is nothing to keep.
    symlink("nowhere", m.at("/dangling")).unwrap();
    m.act("/dangling", &File::default().with("backup", ".bak"), "destroy").unwrap();
    assert!(m.at("/dangling.bak").symlink_metadata().is_err());
}

#[test]
fn a_bucket_may_be_elsewhere_but_not_on_a_server() {
    let m = Machine::new();
    m.has("/f", "old");
    let kept = |bucket: Option<Value>| File { bucket, ..file("new").with("backup", "main") };
    assert!(m.refusal("/f", &kept(None), "content").contains("Could not find filebucket main"));
    assert!(m.refusal("/f", &kept(Some(Value::Bool(false))), "content").contains("is on a server"));
    assert_eq!(m.text("/f"), "old");
    m.act("/f", &kept(Some("/bucket".into())), "content").unwrap();
    assert_eq!(m.names(), ["bucket", "f"]);
}

#[test]
fn sensitive_content_has_no_backup_and_no_diff() {
    let m = Machine::new();
    m.has("/f", "hunter1");
    for backup in [".bak", "puppet"] {
        let secret = File { secret: true, ..file("hunter2").with("backup", backup).with("show_diff", yes()) };
        let notes = m.act("/f", &secret, "content").unwrap();
        assert_eq!(notes, [(LogLevel::Notice, "not backed up: its content is a secret".to_owned())]);
        assert_eq!(m.names(), ["f"]);
        assert_eq!(Posix.texts(&m.system, Request { name: "/f", resource: &secret }, "content"), Ok(None));
    }
}
