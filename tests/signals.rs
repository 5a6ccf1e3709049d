//! Signals to a run. The first signal stops the run after the current resource, the second signal stops it immediately.

use crate::common::site;
use site::Site;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

#[test]
fn the_first_signal_finishes_the_resource_and_reports() {
    let site = Site::new("exec { '/bin/sh -c \"echo > @/begun; sleep 1; echo done > @/done\"': }\n-> file { '@/after': ensure => file }\n");
    let child = site.command(&["site.pp"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    while !site.path().join("begun").exists() {
        std::thread::sleep(Duration::from_millis(20));
    }
    nix::sys::signal::kill(nix::unistd::Pid::from_raw(child.id() as i32), nix::sys::signal::Signal::SIGTERM).unwrap();
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert_eq!(site.read("done"), "done\n", "the resource was not finished");
    assert!(text.contains("skipped, the run was stopped"), "{text}");
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("rtype: stopping after the current resource; interrupt again to stop at once"), "{said}");
    assert!(!site.path().join("after").exists());
}

/// Sends a signal to a program.
fn signal(child: &std::process::Child, signal: nix::sys::signal::Signal) {
    nix::sys::signal::kill(nix::unistd::Pid::from_raw(child.id() as i32), signal).unwrap();
}

fn wait_for(path: &Path) {
    let begun = std::time::Instant::now();
    while !path.exists() {
        assert!(begun.elapsed() < Duration::from_secs(30), "{} does not appear", path.display());
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Returns whether a process has ended or is a zombie.
fn is_gone(pid: &str) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", pid.trim())).unwrap_or_default();
    stat.is_empty() || stat.contains(") Z ")
}

#[test]
fn the_second_signal_stops_immediately_and_kills_started_programs() {
    use nix::sys::signal::Signal;
    let site = Site::new("exec { '/bin/sh -c \"echo $$ > @/pid; touch @/begun; sleep 300; touch @/done\"': timeout => 0 }\n");
    let child = site.command(&["site.pp"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    wait_for(&site.path().join("begun"));
    signal(&child, Signal::SIGTERM);
    std::thread::sleep(Duration::from_millis(300));
    let begun = std::time::Instant::now();
    signal(&child, Signal::SIGTERM);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(143));
    assert!(begun.elapsed() < Duration::from_secs(5));
    assert!(is_gone(&site.read("pid")));
}

#[test]
fn a_stalled_server_does_not_outlive_two_signals() {
    use nix::sys::signal::Signal;
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let site = Site::new(&format!("file {{ '@/page': source => 'http://{}/page' }}\n", listener.local_addr().unwrap()));
    let child = site.command(&["site.pp"]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let connection = listener.accept().unwrap();
    signal(&child, Signal::SIGINT);
    std::thread::sleep(Duration::from_millis(300));
    signal(&child, Signal::SIGINT);
    let begun = std::time::Instant::now();
    assert_eq!(child.wait_with_output().unwrap().status.code(), Some(130));
    assert!(begun.elapsed() < Duration::from_secs(5));
    drop(connection);
}

/// Stops a run that waits for a server. Returns the output about the resource.
fn stop_while_waiting_for(serve: impl FnOnce(std::net::TcpListener) + Send + 'static, begun: impl FnOnce()) -> String {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let site = Site::new(&format!("file {{ '@/page': source => 'http://{address}/page' }}\n-> file {{ '@/after': ensure => file }}\n"));
    let child = site.command(&["site.pp"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    std::thread::spawn(move || serve(listener));
    begun();
    signal(&child, nix::sys::signal::Signal::SIGTERM);
    let since = std::time::Instant::now();
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(since.elapsed() < Duration::from_secs(15), "{:?}: {text}", since.elapsed());
    assert!(String::from_utf8(output.stderr).unwrap().contains("rtype: stopping after the current resource"));
    assert!(!site.path().join("page").exists() && !site.path().join("after").exists());
    let left: Vec<_> = std::fs::read_dir(site.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert!(left.iter().all(|name| !name.to_string_lossy().starts_with(".rtype-")), "{left:?}");
    text
}

#[test]
fn the_first_signal_cancels_an_unresponsive_server() {
    let (accepted, is_accepted) = std::sync::mpsc::channel();
    let serve = move |listener: std::net::TcpListener| {
        let connection = listener.accept().unwrap();
        accepted.send(()).unwrap();
        std::thread::sleep(Duration::from_secs(60));
        drop(connection);
    };
    let text = stop_while_waiting_for(serve, || is_accepted.recv().unwrap());
    assert!(text.contains("given up because the run is stopping and the server sends too little"), "{text}");
}

#[test]
fn the_first_signal_cancels_a_slow_server() {
    use std::io::{Read, Write};
    let (dripping, is_dripping) = std::sync::mpsc::channel();
    let serve = move |listener: std::net::TcpListener| {
        for connection in listener.incoming() {
            let mut connection = connection.unwrap();
            let mut request = [0; 4096];
            let count = connection.read(&mut request).unwrap();
            let is_head = request[..count].starts_with(b"HEAD");
            let sum = "X-Checksum-Sha256: e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
            let end = if is_head { "Connection: close\r\n" } else { "" };
            write!(connection, "HTTP/1.1 200 OK\r\n{sum}\r\n{end}Content-Length: 100000\r\n\r\n").unwrap();
            while !is_head && connection.write_all(b"x").is_ok() {
                let _ = dripping.send(());
                std::thread::sleep(Duration::from_millis(100));
            }
        }
    };
    let text = stop_while_waiting_for(serve, || is_dripping.recv().unwrap());
    assert!(text.contains("given up because the run is stopping and the server sends too little"), "{text}");
}

#[test]
fn the_first_signal_cancels_a_read() {
    let site = Site::new("slow { 'x': color => red }\n");
    site.write(
        "slow.rtype",
        "type slow {\n  newparam name { isnamevar }\n  newproperty color\n}\nprovider program, for: slow { program \"./slow.sh\" }\n",
    );
    site.write("slow.sh", "#!/bin/sh\necho $$ > @/pid; touch @/begun; sleep 300\n");
    std::fs::set_permissions(site.path().join("slow.sh"), std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_rtype"));
    command.current_dir(site.path()).args(["inspect", "--types", ".", "site.pp"]).stdout(Stdio::null()).stderr(Stdio::null());
    let child = command.spawn().unwrap();
    wait_for(&site.path().join("begun"));
    signal(&child, nix::sys::signal::Signal::SIGINT);
    assert_eq!(child.wait_with_output().unwrap().status.code(), Some(130));
    assert!(is_gone(&site.read("pid")));
}

#[test]
fn in_the_repl_a_signal_stops_only_the_run() {
    use std::io::Write;
    let site = Site::new("exec { '/bin/sh -c \"touch @/begun; sleep 1; touch @/done\"': }\n");
    // A file system that only this session sees contains the state of the run.
    let apart = "mount -t tmpfs none /var/lib && exec \"$0\" repl";
    let mut command = Command::new("unshare");
    command.args(["-m", "/bin/sh", "-c", apart, env!("CARGO_BIN_EXE_rtype")]).current_dir(site.path());
    if !Command::new("unshare").args(["-m", "mount", "-t", "tmpfs", "none", "/var/lib"]).status().is_ok_and(|s| s.success()) {
        return;
    }
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let exec = site.read("site.pp").trim_end().replace(": }", ": before => File['@/after'] }").replace('@', site.path().to_str().unwrap());
    writeln!(stdin, "file {{ '{}/after': ensure => file }}\n{exec}\n:apply\ny", site.path().display()).unwrap();
    wait_for(&site.path().join("begun"));
    signal(&child, nix::sys::signal::Signal::SIGINT);
    writeln!(stdin, ":resources").unwrap();
    drop(stdin);
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert!(site.path().join("done").exists() && !site.path().join("after").exists(), "{text}");
    let (_, after) = text.split_once("the run was stopped").unwrap();
    assert!(after.contains("Exec["), "{text}");
}

#[test]
fn what_a_killed_run_has_done_is_reported() {
    use nix::sys::signal::Signal;
    let site = Site::new("file { '@/first': ensure => file }\n-> exec { '/bin/sh -c \"touch @/begun; sleep 3\"': timeout => 0 }\n");
    let child = site.command(&["site.pp", "--format", "json"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    wait_for(&site.path().join("begun"));
    signal(&child, Signal::SIGKILL);
    let output = child.wait_with_output().unwrap();
    let lines: Vec<serde_json::Value> =
        String::from_utf8(output.stdout).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let kinds: Vec<&str> = lines.iter().map(|line| line["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["run", "event", "resource"], "{lines:?}");
}
