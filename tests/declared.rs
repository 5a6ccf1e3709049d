//! Providers without code, with `records`, `keyed` and `command_lines`, run on directories that simulate machines.

use rtype_author::scaffold::{Implementation, NewProperty, NewType, type_files};
use rtype_engine::apply::{ApplyOptions, Counts, Event, EventStatus, Listener, ResourceOutcome, RunContext, apply};
use rtype_engine::state::SavedState;
use rtype_engine::{NativeBackend, instances};
use rtype_lang::library::TypeSet;
use rtype_lang::redact::Redactor;
use rtype_lang::source::SourceMap;
use rtype_lang::syntax::parse_manifest;
use rtype_lang::value::ResourceRef;
use rtype_model::declare::{DeclareOptions, Purpose, declare};
use rtype_model::manifest::{from_manifest, to_puppet};
use rtype_model::resource::{Context, NoCatalog};
use rtype_provider::{Machine, NativeProviders, System};
use std::os::unix::fs::PermissionsExt;
use std::sync::LazyLock;
use std::sync::atomic::AtomicBool;

/// The standard types, loaded once for all machines.
static STANDARD: LazyLock<TypeSet> = LazyLock::new(|| {
    let library = rtype::app::input::types_in(Vec::new());
    library.names().iter().for_each(|name| drop(library.load(name)));
    library
});

/// A directory that simulates a machine.
pub struct Lab {
    directory: tempfile::TempDir,
    library: TypeSet,
    natives: NativeProviders,
    state: SavedState,
}

/// The formatted events of a run.
struct Diary(Vec<String>, Redactor, SourceMap);

impl Listener for Diary {
    fn event(&mut self, reference: &ResourceRef, event: &Event) {
        let failed = if event.status == EventStatus::Failure { "failed: " } else { "" };
        self.0.push(format!("{reference} {failed}{}", self.1.reveal(&event.message)));
        let block = event.failed_at.and_then(|span| Some(self.2.find(span)?.slice(span).to_owned()));
        self.0.extend(block.map(|block| format!("  at {block}")));
    }
    fn done(&mut self, outcome: &ResourceOutcome) {
        self.0.extend(outcome.failure.iter().map(|why| format!("{} failed: {}", outcome.reference, self.1.reveal(why))));
    }
}

impl Lab {
    /// Creates a machine with the standard library and the types in these directories.
    pub fn new(directories: &[&str]) -> Lab {
        let directory = tempfile::tempdir().unwrap();
        let library = match directories {
            [] => STANDARD.fork(),
            _ => rtype::app::input::types_in(directories.iter().map(Into::into).collect()),
        };
        Lab { directory, library, natives: NativeProviders::standard(), state: SavedState::default() }
    }

    pub fn with(self, path: &str, text: &str) -> Lab {
        let path = self.directory.path().join(path.trim_start_matches('/'));
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
        self
    }

    pub fn with_bytes(self, path: &str, bytes: &[u8]) -> Lab {
        let lab = self.with(path, "");
        std::fs::write(lab.directory.path().join(path.trim_start_matches('/')), bytes).unwrap();
        lab
    }

    pub fn bytes(&self, path: &str) -> Vec<u8> {
        std::fs::read(self.directory.path().join(path.trim_start_matches('/'))).unwrap_or_default()
    }

    /// Creates a shell script as a program of the machine.
    pub fn program(self, name: &str, script: &str) -> Lab {
        let script = script.replace("ROOT", self.directory.path().to_str().unwrap());
        let lab = self.with(&format!("usr/bin/{name}"), &format!("#!/bin/sh\nPATH=/usr/bin:/bin\n{script}\n"));
        let path = lab.directory.path().join("usr/bin").join(name);
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
        lab
    }

    /// Defines additional types.
    pub fn types(mut self, text: &str) -> Lab {
        let source = self.library.sources.add("types", text).unwrap();
        let known = self.library.diagnostic_count();
        self.library.load_text(&source, None);
        let found: Vec<_> = self.library.diagnostics_after(known).into_iter().map(|d| (d.message, d.help)).collect();
        assert!(found.is_empty(), "{found:?}");
        self
    }

    pub fn read(&self, path: &str) -> String {
        std::fs::read_to_string(self.directory.path().join(path.trim_start_matches('/'))).unwrap()
    }

    /// Returns the content of a file, if it exists.
    pub fn find(&self, path: &str) -> Option<String> {
        std::fs::read_to_string(self.directory.path().join(path.trim_start_matches('/'))).ok()
    }

    /// Returns what a program of the host prints about a file of the machine.
    pub fn output(&self, program: &str, path: &str) -> Vec<u8> {
        std::process::Command::new(program).arg(self.directory.path().join(path.trim_start_matches('/'))).output().unwrap().stdout
    }

    fn machine(&self) -> Machine {
        Machine::new(System::at(self.directory.path()))
    }

    /// Runs a manifest. After a successful run, asserts that a second run changes nothing and finds no foreign changes.
    pub fn apply(&mut self, manifest: &str) -> Vec<String> {
        let (events, counts) = self.run(manifest);
        if !counts.has_failed() {
            let (again, counts) = self.run(manifest);
            assert!(counts.is_quiet() && counts.corrective == 0, "a second run does something: {again:?}");
        }
        events
    }

    fn run(&mut self, manifest: &str) -> (Vec<String>, Counts) {
        self.try_run(manifest).unwrap_or_else(|found| panic!("{found:?}"))
    }

    /// Runs a manifest once, or returns the errors in the resources.
    pub fn try_run(&mut self, manifest: &str) -> Result<(Vec<String>, Counts), Vec<String>> {
        let machine = self.machine();
        let source = self.library.sources.add("site.pp", manifest).unwrap();
        let (ast, found) = parse_manifest(&source);
        assert!(found.is_empty(), "{found:?}");
        let (declarations, found) = from_manifest(&ast, &machine);
        assert!(found.is_empty(), "{found:?}");
        let backend = NativeBackend { natives: &self.natives, system: machine.system() };
        let context = Context {
            world: &machine,
            catalog: &NoCatalog,
            backend: Some(&backend),
            strict: false,
            trace: false,
            offline: false,
            log: None,
        };
        let declared = declare(&declarations, &self.library, context, DeclareOptions::new(Purpose::Run));
        let found: Vec<_> = declared.diagnostics.into_iter().chain(self.library.diagnostics()).filter(|d| d.is_error()).collect();
        if !found.is_empty() {
            return Err(found.into_iter().map(|d| d.message).collect());
        }
        let mut diary = Diary(Vec::new(), Redactor::default(), self.library.sources.clone());
        let options = ApplyOptions { noop: false, tags: Vec::new(), skip_tags: Vec::new(), now: jiff::Zoned::now(), show_diff: false };
        let stopped = AtomicBool::new(false);
        let surroundings = RunContext { natives: &self.natives, machine: &machine, state: &mut self.state, stopped: &stopped };
        let counts = apply(&declarations, declared.catalog, &self.library, surroundings, &options, &mut diary);
        Ok((diary.0, counts.unwrap_or_else(|e| panic!("{e:?}"))))
    }

    /// Returns the names of a type's properties, except for `ensure`.
    pub fn properties(&self, type_name: &str) -> Vec<String> {
        let properties = self.library.load(type_name).unwrap();
        properties.properties().map(|property| property.name.to_string()).filter(|name| name != "ensure").collect()
    }

    /// Returns the output and the errors of `rtype resource TYPE`.
    pub fn list(&mut self, type_name: &str) -> (String, Vec<String>) {
        let type_def = self.library.load(type_name).unwrap();
        let listed = instances(&type_def, &self.natives, &self.machine());
        (to_puppet(&listed.resources), listed.diagnostics.into_iter().map(|d| d.message).collect())
    }
}

const ALIASES: &str = "# Who gets what.\nroot:  admin@example.org , ops\n\nlists: :include: /etc/lists\nmajordomo: \"|/usr/bin/mj, -l\"\n";

#[test]
fn mail_aliases_are_records() {
    let mut lab = Lab::new(&[]).with("/etc/aliases", ALIASES);
    let (listed, found) = lab.list("mailalias");
    assert_eq!(found, Vec::<String>::new());
    assert!(listed.contains("mailalias { 'root':\n  ensure    => 'present',\n  recipient => ['admin@example.org', 'ops'],"), "{listed}");
    assert!(listed.contains("mailalias { 'lists':\n  ensure => 'present',\n  file   => '/etc/lists',"), "{listed}");
    assert!(listed.contains("recipient => ['|/usr/bin/mj, -l']"), "{listed}");
    let events = lab.apply(
        "mailalias { 'root': recipient => ['admin@example.org', 'ops'] }
         mailalias { 'majordomo': recipient => ['root', 'file name'] }
         mailalias { 'lists': ensure => absent }
         mailalias { 'news': ensure => present, file => '/etc/news' }",
    );
    assert_eq!(
        events,
        [
            "Mailalias[majordomo] recipient changed ['|/usr/bin/mj, -l'] to ['root', 'file name']",
            "Mailalias[lists] removed",
            "Mailalias[news] created",
        ]
    );
    let after = ALIASES.replace("\"|/usr/bin/mj, -l\"", "root,\"file name\"").replace("lists: :include: /etc/lists\n", "")
        + "news: :include: /etc/news\n";
    assert_eq!(lab.read("/etc/aliases"), after);
}

#[test]
fn a_record_moves_to_another_file() {
    let mut lab = Lab::new(&[]).with("/etc/aliases", ALIASES).with("/etc/mail/aliases", "");
    lab.apply("mailalias { 'lists': target => '/etc/mail/aliases', file => '/etc/lists2' }");
    assert_eq!(lab.read("/etc/mail/aliases"), "lists: :include: /etc/lists2\n");
    assert!(!lab.read("/etc/aliases").contains("lists:"));
    let events = lab.apply("mailalias { 'empty': ensure => present }");
    assert!(events.join("").contains("`recipient` or `file` is required"), "{events:?}");
}

const SYSCTL: &str = "# kernel.sysrq = 1\n;kernel.sysrq=2\n kernel.panic = 10\n\nnet.ipv4.tcp_rmem=4096 87380\n";

#[test]
fn kernel_parameters_are_records() {
    let after = |manifest: &str| {
        let mut lab = Lab::new(&[]).with("/etc/sysctl.conf", SYSCTL);
        let events = lab.apply(manifest);
        (lab.read("/etc/sysctl.conf"), events)
    };
    assert_eq!(after("sysctl { 'kernel.sysrq': val => 0 }").0, format!("{SYSCTL}kernel.sysrq=0\n"));
    assert_eq!(after("sysctl { 'kernel.panic': val => '5' }").0, SYSCTL.replace("= 10", "= 5"), "the text before the value is kept");
    assert_eq!(after("sysctl { 'kernel.panic': ensure => absent }").0, SYSCTL.replace(" kernel.panic = 10\n", ""));
    let (text, events) = after("sysctl { 'kernel.sysrq': ensure => present }");
    assert_eq!(text, SYSCTL);
    assert!(events.join("").contains("`val` is required"), "{events:?}");
    let mut lab = Lab::new(&[]).with("/etc/sysctl.conf", SYSCTL);
    let (listed, _) = lab.list("sysctl");
    assert_eq!(listed.matches("sysctl {").count(), 2, "{listed}");
    assert!(
        listed.contains("sysctl { 'kernel.panic':\n  ensure => 'present',\n  target => '/etc/sysctl.conf',\n  val    => '10',\n}"),
        "{listed}"
    );
}

#[test]
fn failing_parse_block_fails_the_record() {
    let text = r#"type odd { newparam name; ensurable; newproperty x }
        provider lines, for: odd { records; file_path "/etc/odd"; parse { |line| fail "odd: #{line}" if line == "?"; {name: line} }; print { |r| r[:name] } }"#;
    let mut lab = Lab::new(&[]).types(text).with("/etc/odd", "a\n?\n");
    let events = lab.apply("odd { 'b': ensure => present }");
    assert!(events.join("").contains("/etc/odd: ") && events.join("").contains("odd: ?"), "{events:?}");
    assert_eq!(lab.read("/etc/odd"), "a\n?\n");
}

#[test]
fn a_new_file_has_the_owner_and_mode_of_its_provider() {
    let types = |mode: &str| {
        format!(
            r#"type pass {{ newparam name; ensurable; newproperty x }}
            provider lines, for: pass {{ records; file_path "/etc/pass"; file_mode "{mode}"; parse {{ |l| {{name: l}} }}; print {{ |r| r[:name] }} }}
            type key {{ newparam name; ensurable; newproperty value }}
            provider ini, for: key {{ keyed value; file_path "/etc/keys"; file_mode "{mode}"; section ""; setting {{ self.name }} }}"#
        )
    };
    let manifest = "pass { 'a': ensure => present }\nkey { 'b': value => 1 }";
    let mut lab = Lab::new(&[]).types(&types("0600")).with("/etc/other", "");
    lab.apply(manifest);
    for file in ["etc/pass", "etc/keys"] {
        let mode = std::fs::metadata(lab.directory.path().join(file)).unwrap().permissions().mode();
        assert_eq!(mode & 0o7777, 0o600, "{file}");
    }
    let mut lab = Lab::new(&[]).types(&types("rw-")).with("/etc/other", "");
    let events = lab.apply(manifest).join("\n");
    assert_eq!(events.matches("`file_mode` is octal digits such as \"0600\", not `rw-`").count(), 2, "{events}");
    assert!(!lab.directory.path().join("etc/pass").exists());
}

/// Types of Debian's OpenStack modules, the files with their settings, and whether a setting may occur several times.
const OPENSTACK: &[(&str, &str, bool)] = &[
    ("glance_api_config", "/etc/glance/glance-api.conf", true),
    ("nova_config", "/etc/nova/nova.conf", true),
    ("keystone_config", "/etc/keystone/keystone.conf", true),
    ("cinder_config", "/etc/cinder/cinder.conf", true),
    ("neutron_config", "/etc/neutron/neutron.conf", true),
    ("heat_config", "/etc/heat/heat.conf", true),
    ("placement_config", "/etc/placement/placement.conf", true),
    ("aodh_config", "/etc/aodh/aodh.conf", true),
    ("ironic_config", "/etc/ironic/ironic.conf", true),
    ("octavia_config", "/etc/octavia/octavia.conf", true),
    ("glance_cache_config", "/etc/glance/glance-cache.conf", false),
    ("swift_proxy_config", "/etc/swift/proxy-server.conf", false),
    ("libvirtd_config", "/etc/libvirt/libvirtd.conf", false),
];

#[test]
fn openstack_settings_are_managed_and_purged() {
    let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/corpus/types");
    for (type_name, path, is_list) in OPENSTACK {
        let named = |section: &str, setting: &str| {
            if *type_name == "libvirtd_config" { setting.to_owned() } else { format!("{section}/{setting}") }
        };
        let header = |name: &str| if *type_name == "libvirtd_config" { String::new() } else { format!("[{name}]\n") };
        let text = format!("# by hand\n{}debug = False\n#verbose = 1\n{}old=1\n", header("DEFAULT"), header("extra"));
        let mut lab = Lab::new(&[directory]).with(path, &text);
        let (debug, verbose) = (named("DEFAULT", "debug"), named("DEFAULT", "verbose"));
        lab.apply(&format!(
            "{type_name} {{ '{debug}': value => 'True' }}
             {type_name} {{ '{verbose}': value => 'yes' }}
             resources {{ '{type_name}': purge => true }}"
        ));
        let after = lab.read(path);
        assert!(
            after.starts_with(&format!("# by hand\n{}debug = True\n#verbose = 1\nverbose=", header("DEFAULT"))),
            "{type_name}: {after}"
        );
        assert!(!after.contains("old"), "{type_name}: undeclared settings are purged: {after}");
        let (listed, _) = lab.list(type_name);
        assert_eq!(listed.matches(&format!("{type_name} {{")).count(), 2, "{listed}");
        if *is_list {
            lab.apply(&format!("{type_name} {{ '{debug}': value => ['a', 'b'] }}"));
            assert!(lab.read(path).contains("debug = a\ndebug=b\n#verbose"), "{}", lab.read(path));
            lab.apply(&format!("{type_name} {{ '{debug}': value => ['b'] }}"));
            assert!(lab.read(path).contains("debug = b\n#verbose"), "{}", lab.read(path));
        }
        lab.apply(&format!("{type_name} {{ '{debug}': ensure => absent }}"));
        assert!(!lab.read(path).contains("debug"), "{}", lab.read(path));
    }
}

#[test]
fn openstack_absent_and_immutable_values() {
    let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/corpus/types");
    for (type_name, path, _) in OPENSTACK.iter().filter(|(name, ..)| *name != "libvirtd_config") {
        let text = "[DEFAULT]\ndebug = False\nverbose = 1\n";
        let mut lab = Lab::new(&[directory]).with(path, text);
        let kept = lab.apply(&format!("{type_name} {{ ['DEFAULT/debug', 'DEFAULT/none']: value => '<_IMMUTABLE_>' }}"));
        assert_eq!((kept, lab.read(path).as_str()), (Vec::<String>::new(), text), "what is there stays as it is");
        lab.apply(&format!("{type_name} {{ ['DEFAULT/debug', 'DEFAULT/none']: value => '<SERVICE DEFAULT>' }}"));
        assert_eq!(lab.read(path), "[DEFAULT]\nverbose = 1\n", "{type_name}: the service has its own value");
        lab.apply(&format!("{type_name} {{ 'DEFAULT/verbose': value => 'gone', ensure_absent_val => 'gone' }}"));
        assert!(!lab.read(path).contains("verbose"), "{type_name}");
    }
    let path = "/etc/libvirt/libvirtd.conf";
    let mut lab = Lab::new(&[directory]).with(path, "a = \"x\"\nb = 1\n");
    lab.apply("libvirtd_config { 'a': value => 'y', quote => true }\nlibvirtd_config { 'b': value => '<SERVICE DEFAULT>' }");
    assert_eq!(lab.read(path), "a = \"y\"\n");
}

const JAIL: &str = r#"
type jail {
  desc "A jail."
  ensurable
  newparam name { isnamevar }
  newproperty cell { type Integer }
  newproperty open { newvalues yes, no }
  newproperty code { sensitive true }
}
provider jailctl, for: jail {
  commands jailctl: "jailctl"
  command_lines
  ROWS
  to_create { ["jailctl", "add", self.name, "--cell", self.cell.to_s] }
  to_update { [["jailctl", "set", self.name, "cell", self.cell.to_s], ["jailctl", "set", self.name, "open", self.open.to_s]] }
  to_delete { ["jailctl", "remove", self.name] }
  input { self.code }
  done_codes [0, 3]
}
"#;

fn jail(rows: &str) -> Lab {
    Lab::new(&[]).types(&JAIL.replace("ROWS", rows)).with("/jails", "").with("/said", "").program(
        "jailctl",
        r#"cd ROOT; echo "$@" >> said
        case $1 in
        list) cat jails ;;
        show) grep "^$2 " jails || exit 7 ;;
        add) cat > code; echo "$2 $4 no" >> jails; exit 3 ;;
        set) cell=$(sed -n "s/^$2 \([0-9]*\) .*/\1/p" jails); [ "$3" = cell ] && sed -i "s/^$2 [0-9]*/$2 $4/" jails; [ "$3" = open ] && sed -i "s/^\($2 [0-9]*\) .*/\1 $4/" jails; : ;;
        remove) grep -v "^$2 " jails > new; mv new jails; [ "$2" = locked ] && { echo "it is locked" >&2; exit 1; }; : ;;
        esac"#,
    )
}

const ROWS: &str = r#"to_list { ["jailctl", "list"] }
  rows /\A(?<name>\S+) (?<cell>\d+) (?<open>\w+)\z/"#;

#[test]
fn programs_list_create_change_and_remove() {
    for rows in [
        ROWS,
        "to_read { [\"jailctl\", \"show\", self.name] }\n  rows /\\A(?<name>\\S+) (?<cell>\\d+) (?<open>\\w+)\\z/\n  absent_codes [7]",
    ] {
        let mut lab = jail(rows);
        assert_eq!(lab.apply("jail { 'a': ensure => present, cell => 4, open => 'no' }"), ["Jail[a] created"], "{}", lab.read("/said"));
        assert_eq!(
            lab.apply("jail { 'a': cell => 5, open => yes }"),
            ["Jail[a] cell changed 4 to 5", "Jail[a] open changed 'no' to 'yes'"]
        );
        assert_eq!(lab.read("/jails"), "a 5 yes\n");
        assert_eq!(lab.apply("jail { 'a': ensure => absent }"), ["Jail[a] removed"]);
        assert!(lab.read("/said").contains("add a --cell 4\n") && lab.read("/said").contains("remove a\n"));
    }
}

#[test]
fn secrets_are_passed_on_standard_input_only() {
    let mut lab = jail(ROWS);
    lab.run("jail { 'a': ensure => present, cell => 4, code => Sensitive('s3same') }");
    assert_eq!(lab.read("/code"), "s3same");
    assert!(!lab.read("/said").contains("s3same"));
    let mut lab = jail(ROWS).types(
        &JAIL
            .replace("ROWS", ROWS)
            .replace("self.cell.to_s] }", "self.code] }")
            .replace("type jail", "type jail2")
            .replace("for: jail", "for: jail2"),
    );
    let (events, _) = lab.run("jail2 { 'a': ensure => present, code => Sensitive('s3same') }");
    assert!(events.join("").contains("`to_create` contains a secret, which every user could see"), "{events:?}");
    assert!(!lab.read("/said").contains("add"));
}

#[test]
fn a_failed_command_is_reported_with_its_output_and_its_location_in_the_type() {
    let mut lab = jail(ROWS).with("/jails", "locked 1 no\n");
    let events = lab.apply("jail { 'locked': ensure => absent }");
    assert!(events.join("").contains("`jailctl remove locked` exited with 1: it is locked"), "{events:?}");
    assert!(events.iter().any(|event| event == "  at { [\"jailctl\", \"remove\", self.name] }"), "{events:?}");
}

#[test]
fn rows_are_json_pairs_or_parsed_by_a_block() {
    let listed = |rows: &str, output: &str| {
        let (text, found) = jail(&format!("to_list {{ [\"jailctl\", \"list\"] }}\n  {rows}")).with("/jails", output).list("jail");
        assert_eq!(found, Vec::<String>::new());
        text
    };
    let expected = "jail { 'a':\n  ensure => 'present',\n  cell   => 4,\n  open   => 'yes',\n}\njail { 'b':\n  ensure => 'present',\n  cell   => 5,\n}\n";
    assert_eq!(listed("rows json", r#"[{"name": "a", "cell": 4, "open": "yes"}, {"name": "b", "cell": "5"}]"#), expected);
    assert_eq!(listed("rows json", "{\"name\": \"a\", \"cell\": 4, \"open\": \"yes\"}\n{\"name\": \"b\", \"cell\": 5}\n"), expected);
    assert_eq!(listed("rows key_value", "name=a\ncell = 4\nopen=yes\n\nname=b\ncell=5\n"), expected);
    assert_eq!(
        listed(
            "parse { |text| text.split(\"\\n\").map { |l| let w = l.split(\" \"); {name: w[0], cell: w[1], open: w[2]} } }",
            "a 4 yes\nb 5\n"
        ),
        expected
    );
    let (_, found) = jail("to_list { [\"jailctl\", \"list\"] }\n  rows json").with("/jails", "[").list("jail");
    assert!(found.join("").contains("its program did not give JSON"), "{found:?}");
}

#[test]
fn new_types_manage_files() {
    let properties: Vec<NewProperty> =
        ["label", "count:integer", "members:list", "state:open,closed", "lit:boolean"].map(|p| p.parse().unwrap()).into();
    let new = NewType { name: "door".into(), properties, implementation: Implementation::Records };
    let text = type_files(&new, true, 100).remove(0).text;
    let mut lab = Lab::new(&[]).types(&text).with("/etc/door.conf", "# Doors.\nback:::a,b::\n");
    lab.apply("door { 'example': label => 'red', count => 1, members => ['one', 'two'], state => open, lit => true }");
    assert_eq!(lab.read("/etc/door.conf"), "# Doors.\nback:::a,b::\nexample:red:1:one,two:open:true\n");
    lab.apply("door { 'example': count => 2 } door { 'back': ensure => absent }");
    assert_eq!(lab.read("/etc/door.conf"), "# Doors.\nexample:red:2:one,two:open:true\n");
    let new = NewType { name: "setting".into(), properties: vec!["value".parse().unwrap()], implementation: Implementation::Keyed };
    let text = type_files(&new, true, 100).remove(0).text;
    let mut lab = Lab::new(&[]).types(&text).with("/etc/setting.conf", "[a]\nx = 1\n");
    lab.apply("setting { 'a/x': value => '2' } setting { 'b/y': value => '3' }");
    assert_eq!(lab.read("/etc/setting.conf"), "[a]\nx = 2\n\n[b]\ny = 3\n");
}
