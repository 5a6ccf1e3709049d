//! Changes of users with a property that cannot be set: the other properties are set.

use super::declared::Lab;

/// A machine whose tools refuse arguments with `bad` or the date 2030-01-02, and record the others.
fn lab() -> Lab {
    let tool = "case \"$*\" in *bad*|*2030-01-02*) echo refused >&2; exit 3 ;; esac\necho \"$*\" >> ROOT/log";
    let lab = Lab::new(&[])
        .with("/proc/sys/kernel/ostype", "Linux\n")
        .with("/etc/passwd", "root:x:0:0::/root:/bin/sh\nbob:x:1500:100:Bob:/home/bob:/bin/sh\n")
        .with("/etc/shadow", "root:*:19000:0:99999:7:::\nbob:!:19000::::::\n")
        .with("/etc/group", "root:x:0:\nusers:x:100:\n")
        .with("/log", "");
    ["useradd", "usermod", "userdel", "chage", "chpasswd"].into_iter().fold(lab, |lab, name| lab.program(name, tool))
}

#[test]
fn a_property_that_cannot_be_set_does_not_keep_the_others_from_being_set() {
    let rows = [
        ("shell => '/bad'", "shell", "comment => 'Good'", "Good"),
        ("home => '/bad'", "home", "comment => 'Good'", "Good"),
        ("gid => 'bad'", "gid", "comment => 'Good'", "Good"),
        ("groups => ['bad']", "groups", "comment => 'Good'", "Good"),
        ("expiry => '2030-01-02'", "expiry", "comment => 'Good'", "Good"),
        ("comment => 'bad'", "comment", "home => '/good'", "/good"),
        ("password_max_age => 7, comment => 'bad'", "comment", "home => '/good'", "/good"),
    ];
    for (bad, property, good, written) in rows {
        let mut lab = lab();
        let (events, counts) = lab.try_run(&format!("user {{ 'bob': {bad}, {good} }}")).unwrap();
        assert!(counts.has_failed(), "{bad}: {events:?}");
        let failed: Vec<&String> = events.iter().filter(|event| event.contains("failed")).collect();
        assert!(failed.iter().all(|event| event.contains("User[bob] failed") || event.contains(property)), "{bad}: {events:?}");
        assert!(lab.read("/log").contains(written), "{bad}: {events:?}\n{}", lab.read("/log"));
        assert!(!events.iter().any(|event| event.contains("change from  to") || event.contains(" to  failed")), "{events:?}");
    }
}
