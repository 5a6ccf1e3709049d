use super::*;
use std::os::unix::fs::symlink;
use std::time::Instant;
use tempfile::TempDir;

/// A resource with these desired values. If any value is secret, all attributes are.
struct Wants(Vec<(&'static str, Value)>);

impl Resource for Wants {
    fn wanted(&self, attribute: &str) -> Value {
        let found = self.0.iter().find(|(name, _)| *name == attribute).map(|(_, v)| v.unwrapped().clone());
        found.unwrap_or_else(|| if attribute == "returns" { Value::array([Value::str("0")]) } else { Value::Nil })
    }
    fn is_secret(&self, attribute: &str) -> bool {
        self.0.iter().any(|(name, v)| *name == attribute && v.has_secret())
    }
}

/// A throw-away root with this machine's programs.
fn machine() -> (TempDir, System) {
    let root = TempDir::new().unwrap();
    std::fs::create_dir_all(root.path().join("usr")).unwrap();
    std::fs::create_dir(root.path().join("etc")).unwrap();
    std::fs::write(root.path().join("etc/passwd"), "nobody:x:65534:65534:::\n").unwrap();
    for folder in ["bin", "usr/bin"] {
        symlink("/bin", root.path().join(folder)).unwrap();
    }
    let system = System::at(root.path());
    (root, system)
}

fn run(shell: bool, wants: Vec<(&'static str, Value)>) -> Result<Value, ProviderError> {
    let (_root, system) = machine();
    run_on(&system, shell, wants).0
}

/// Returns the result of a command, and the log messages.
fn run_on(system: &System, shell: bool, wants: Vec<(&'static str, Value)>) -> (Result<Value, ProviderError>, Vec<String>) {
    let wants = Wants(wants);
    let read = Reading::Present(State::new());
    let mut change = Change::new(Request { name: "x", resource: &wants }, &read);
    let result = Exec { shell }.call(system, &mut change, "run", &[]);
    let logged = |(level, message): (LogLevel, Foreign)| -> Vec<String> {
        rtype_lang::redact::Redactor::default().reveal(&message).split('\n').map(|line| format!("{}: {line}", level.name())).collect()
    };
    (result, change.messages.into_iter().flat_map(logged).collect())
}

fn failure(shell: bool, wants: Vec<(&'static str, Value)>) -> String {
    run(shell, wants).unwrap_err().to_string()
}

/// Returns the output of a command.
fn said(shell: bool, mut wants: Vec<(&'static str, Value)>) -> String {
    wants.push(("logoutput", Value::sym("true")));
    let (_root, system) = machine();
    let (result, logged) = run_on(&system, shell, wants);
    result.unwrap();
    logged.iter().map(|line| line.strip_prefix("notice: ").unwrap()).collect::<Vec<_>>().join("\n")
}

fn due(wants: Vec<(&'static str, Value)>) -> Result<String, String> {
    let (_root, system) = machine();
    let wants = Wants(wants);
    let request = Request { name: "x", resource: &wants };
    let reading = Exec { shell: false }.get(&system, &[request], Select::All).remove(0);
    let Reading::Present(state) = reading else { panic!("{reading:?}") };
    state["returns"].clone().map(|v| rtype_lang::value::inspect(&v)).map_err(|e| e.to_string())
}

fn list(words: &[&str]) -> Value {
    Value::array(words.iter().map(|w| Value::str(*w)))
}

fn secret(text: &str) -> Value {
    Value::Sensitive(std::sync::Arc::new(Value::str(text)))
}

#[test]
fn a_command_goes_well_with_a_status_that_is_wanted() {
    assert_eq!(run(false, vec![("command", "/bin/true".into())]), Ok(Value::Nil));
    assert_eq!(run(true, vec![("command", "exit 7".into()), ("returns", list(&["0", "7"]))]), Ok(Value::Nil));
    assert_eq!(failure(false, vec![("command", "/bin/false".into())]), "'/bin/false' returned 1 instead of one of [0]");
}

#[test]
fn output_is_logged_in_order_if_requested() {
    let logged = |logoutput: &'static str, status: i64| {
        let command = Value::str(format!("echo a; echo b >&2; echo; echo c; exit {status}"));
        let wants = vec![("command", command), ("logoutput", Value::sym(logoutput)), ("loglevel", Value::sym("warning"))];
        let (_root, system) = machine();
        run_on(&system, true, wants).1
    };
    let all = ["warning: a", "warning: b", "warning: ", "warning: c"];
    assert_eq!(logged("on_failure", 1), all);
    assert_eq!(logged("true", 0), all);
    assert!(logged("on_failure", 0).is_empty() && logged("false", 1).is_empty());
}

#[test]
fn a_list_reaches_its_program_as_it_is() {
    assert_eq!(said(false, vec![("command", list(&["/bin/echo", "a  b; $HOME"]))]), "a  b; $HOME");
    assert_eq!(said(false, vec![("command", "/bin/echo a  b; /bin/echo c".into())]), "a b\nc");
}

#[test]
fn the_program_is_looked_for_in_the_path_alone() {
    let path = ("path", list(&["/nowhere", "/usr/bin"]));
    assert_eq!(run(false, vec![("command", "true".into()), path.clone()]), Ok(Value::Nil));
    assert_eq!(said(true, vec![("command", "echo $PATH".into()), path]), "/nowhere:/usr/bin");
    assert_eq!(failure(false, vec![("command", "true".into()), ("path", list(&["/nowhere"]))]), "could not find command 'true'");
    assert_eq!(failure(false, vec![("command", "/bin/nope -x".into())]), "could not find command '/bin/nope'");
    assert_eq!(failure(false, vec![("command", "/usr -x".into())]), "'/usr' is a directory, not a file");
}

#[test]
fn shell_reports_missing_program() {
    let message = failure(true, vec![("command", "nope-at-all".into()), ("returns", list(&["127"]))]);
    assert!(message.contains("nope-at-all: not found"), "{message}");
}

#[test]
fn given_variables_replace_those_of_the_caller() {
    let wants = vec![
        ("command", Value::str("env | grep '^A=\\|^E=\\|^LC_ALL=\\|^HOME=\\|^DEBIAN_FRONTEND=' | sort")),
        ("environment", list(&["A=b c", "E=", "LC_ALL=de_DE.UTF-8", "DEBIAN_FRONTEND=readline"])),
    ];
    assert_eq!(said(true, wants), "A=b c\nDEBIAN_FRONTEND=readline\nE=\nLC_ALL=de_DE.UTF-8");
}

#[test]
fn directory_and_umask_are_applied() {
    assert_eq!(failure(true, vec![("command", "pwd".into()), ("cwd", "/nope".into())]), "the working directory /nope does not exist");
    let (root, system) = machine();
    std::fs::create_dir(root.path().join("srv")).unwrap();
    let wants = vec![
        ("command", "pwd; umask; exit 1".into()),
        ("logoutput", Value::sym("on_failure")),
        ("cwd", "/srv".into()),
        ("umask", Value::Int(0o027)),
    ];
    let message = run_on(&system, true, wants).1.join("\n");
    assert_eq!(message, format!("notice: {}/srv\nnotice: 0027", root.path().display()));
}

#[test]
fn root_runs_commands_as_others() {
    if !Uid::effective().is_root() {
        return;
    }
    let who = |wants: &[(&'static str, Value)]| said(true, [&[("command", "id -u; id -g; id -G".into())], wants].concat());
    assert_eq!(who(&[("user", "nobody".into())]), "65534\n65534\n65534");
    assert_eq!(who(&[("user", Value::Int(65534)), ("group", Value::str("5"))]), "65534\n5\n5 65534");
    assert_eq!(who(&[("group", Value::Int(5))]).lines().nth(1), Some("5"));
    assert_eq!(failure(true, vec![("command", "id".into()), ("user", "h0rse".into())]), "unknown user h0rse");
}

#[test]
fn it_is_tried_again_until_it_goes_well() {
    let (root, system) = machine();
    let count = root.path().join("count");
    let script = format!("echo x >> {0}; test $(wc -l < {0}) -ge 3", count.display());
    let wants = |tries| vec![("command", Value::str(script.as_str())), ("tries", Value::Int(tries)), ("try_sleep", Value::Float(0.01))];
    assert!(run_on(&system, true, wants(2)).0.is_err());
    assert_eq!(run_on(&system, true, wants(5)).0, Ok(Value::Nil));
    assert_eq!(std::fs::read_to_string(count).unwrap().lines().count(), 3);
}

#[test]
fn what_takes_too_long_is_ended_with_all_that_it_has_started() {
    let (root, system) = machine();
    let late = root.path().join("late");
    let script = format!("(sleep 1; touch {}) & sleep 30", late.display());
    let begun = Instant::now();
    let wants = vec![("command", Value::str(script.as_str())), ("timeout", Value::Float(0.3)), ("tries", Value::Int(3))];
    let error = run_on(&system, true, wants).0.unwrap_err();
    assert_eq!(error.message, "the command took longer than 0.3 seconds and was ended");
    assert!(begun.elapsed() < Duration::from_secs(10));
    std::thread::sleep(Duration::from_millis(1200));
    assert!(!late.exists());
}

#[test]
fn tests_say_whether_it_is_due() {
    let runs = Ok(":notrun".to_owned());
    let rests = Ok("[\"0\"]".to_owned());
    assert_eq!(due(vec![]), runs);
    assert_eq!(due(vec![("creates", "/etc".into())]), rests);
    assert_eq!(due(vec![("creates", list(&["/nope", "/etc"]))]), rests);
    assert_eq!(due(vec![("creates", "/nope".into())]), runs);
    assert_eq!(due(vec![("unless", "/bin/true".into())]), rests);
    assert_eq!(due(vec![("unless", list(&["/bin/false", "/bin/true"]))]), rests);
    assert_eq!(due(vec![("onlyif", list(&["/bin/true", "/bin/false"]))]), rests);
    assert_eq!(due(vec![("onlyif", Value::array([list(&["/bin/test", "-d", "/"]), "/bin/true".into()]))]), runs);
    assert_eq!(due(vec![("refreshonly", Value::sym("true"))]), rests);
    assert!(due(vec![("onlyif", "/bin/nope".into())]).unwrap_err().contains("could not find command '/bin/nope'"));
    assert!(due(vec![("onlyif", "/bin/sleep 9".into()), ("timeout", Value::Float(0.1))]).unwrap_err().contains("longer than 0.1"));
}

#[test]
fn on_a_refresh_only_the_tests_count() {
    let (_root, system) = machine();
    let ask = |unless: &'static str| {
        let wants = Wants(vec![("refreshonly", Value::sym("true")), ("unless", unless.into())]);
        Exec { shell: false }.query(&system, Request { name: "x", resource: &wants }, "due?", &[])
    };
    assert_eq!(ask("/bin/false"), Ok(Value::Bool(true)));
    assert_eq!(ask("/bin/true"), Ok(Value::Bool(false)));
}

#[test]
fn sensitive_values_are_redacted() {
    for (shell, command) in [(true, "echo h0rse; exit 1"), (false, "/bin/ls /h0rse"), (false, "/bin/h0rse")] {
        let message = failure(shell, vec![("command", secret(command))]);
        assert!(!message.contains("h0rse"), "{message}");
    }
    let (_root, system) = machine();
    let (result, logged) = run_on(&system, true, vec![("command", "echo $A; exit 1".into()), ("environment", secret("A=h0rse"))]);
    assert_eq!(result.unwrap_err().message, "[command redacted] returned 1 instead of one of [0]");
    assert_eq!(logged, ["notice: [output redacted]"]);
    assert!(!due(vec![("onlyif", secret("/bin/h0rse"))]).unwrap_err().contains("h0rse"));
}

#[test]
fn a_secret_script_is_in_no_list_of_processes_and_runs_like_any_other() {
    let (root, system) = machine();
    let file = root.path().join("args");
    // The script records the arguments and the standard input of its shell; the input is empty.
    let script = format!("cd /; tr '\\0' ' ' < /proc/$$/cmdline > {0}; cat >> {0}; A='h0rse'; exit 5", file.display());
    let wants = vec![("command", secret(&script)), ("returns", list(&["5"]))];
    assert_eq!(run_on(&system, true, wants).0, Ok(Value::Nil));
    let log = std::fs::read_to_string(file).unwrap();
    assert!(log.contains("eval") && !log.contains("h0rse"), "{log}");
}
