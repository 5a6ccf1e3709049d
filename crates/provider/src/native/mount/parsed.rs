//! `mount/parsed`: the lines of `/etc/fstab`, and what is mounted according to `/proc/self/mountinfo`; mount(8) and umount(8).
//!
//! Follows `puppet/provider/mount/parsed.rb` of puppetlabs-mount_core as it behaves on Linux, with one difference: in a line with leading
//! white space, Puppet shifts every column by one (the device becomes the mount point). Here, leading white space is ignored, as in
//! mount(8).

use super::programs::MountPoint;
use crate::native::common::{Property, pick, text_or_absent};
use crate::text::TextFiles;
use crate::text::is_blank;
use crate::text::records::{self, RecordChange, RecordFormat};
use crate::{Change, ListedResource, Need, Provider, ProviderError, Reading, Request, Select, State, System, Thing};
use indexmap::IndexSet;
use rtype_lang::value::{EcoString, Value};
use std::collections::HashSet;

/// The table where a resource names no other.
const FSTAB: &str = "/etc/fstab";

/// The kernel's list of mounted file systems.
const MOUNTINFO: &str = "/proc/self/mountinfo";

/// Reads and writes mounts.
///
/// `ensure` is `:mounted` or `:unmounted` for entries of the table, and `:ghost` for what is mounted without an
/// entry. If a mount point has several entries, the first one is used, as in `puppet resource` and mount(8).
/// `blockdevice` and `atboot` do not exist in Linux's table: as in Puppet, they read as the desired value, so that
/// they never differ, or as `:absent` without one.
#[derive(Clone, Copy, Debug, Default)]
pub struct ParsedMounts;

/// One line of the table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Line {
    pub(super) device: String,
    name: String,
    pub(super) fstype: Option<String>,
    pub(super) options: Option<String>,
    dump: Option<String>,
    pass: Option<String>,
    /// The text after the last column, which programs ignore.
    rest: String,
}

/// Returns the mount in a line; comments, blank lines and lines of a single word are none. As in libmount, only blanks and tabs separate
/// columns, and a carriage return at the end is not part of the line.
fn parse_line(line: &str) -> Option<Line> {
    const BLANKS: [char; 2] = [' ', '\t'];
    let mut rest = line.trim_end_matches('\r').trim_matches(BLANKS);
    let mut next = || {
        let (word, after) = rest.split_once(BLANKS).unwrap_or((rest, ""));
        rest = after.trim_start_matches(BLANKS);
        Some(word).filter(|word| !word.is_empty())
    };
    let device = next().filter(|word| !word.starts_with('#'))?;
    let name = next()?;
    let [fstype, options, dump, pass] = [(); 4].map(|()| next().map(String::from));
    Some(Line { device: decoded(device), name: without_trailing_slashes(&decoded(name)), fstype, options, dump, pass, rest: rest.into() })
}

/// Decodes the escapes of the table, as mount(8) does: a backslash and three octal digits. A word whose escapes are not UTF-8 stays as it is.
fn decoded(word: &str) -> String {
    String::from_utf8(unescape(word.as_bytes())).unwrap_or_else(|_| word.to_owned())
}

/// Encodes a value as a word of the table. Escapes white space, a backslash before three octal digits, and a `#` at the beginning.
fn encoded(value: &str) -> String {
    let is_undecodable = String::from_utf8(unescape(value.as_bytes())).is_err();
    if is_undecodable {
        return value.to_owned();
    }
    let mut word = String::with_capacity(value.len());
    for (at, c) in value.char_indices() {
        let is_escape = c == '\\' && value.get(at..at + 4).is_some_and(|escape| decoded(escape) != escape);
        match c {
            c if is_blank(c) || c == '#' && at == 0 || is_escape => word.push_str(&format!("\\{:03o}", u32::from(c))),
            c => word.push(c),
        }
    }
    word
}

fn without_trailing_slashes(path: &str) -> String {
    match path.trim_end_matches('/') {
        "" if path.starts_with('/') => "/".into(),
        cut => cut.into(),
    }
}

/// Returns the mount points of `/proc/self/mountinfo`, in order, each once.
fn mount_points(system: &System) -> Result<IndexSet<String>, ProviderError> {
    let bytes = system.read_bytes(MOUNTINFO)?;
    let bytes = bytes.ok_or_else(|| ProviderError::new(format!("cannot read {MOUNTINFO}: no such file")).help("mount /proc"))?;
    let lines = bytes.split(|b| *b == b'\n').filter(|l| !l.is_empty());
    let point = |line: &[u8]| {
        let fifth = line.split(|b| *b == b' ').nth(4).filter(|p| !p.is_empty());
        let point = fifth.ok_or_else(|| ProviderError::new(format!("{MOUNTINFO} has a line without a mount point")))?;
        Ok(String::from_utf8_lossy(&unescape(point)).into_owned())
    };
    lines.map(point).collect()
}

/// Decodes blank, tab, newline, backslash and hash, which the kernel writes as a backslash and three octal digits.
fn unescape(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text;
    while let [first, after @ ..] = rest {
        rest = match (first, after) {
            (b'\\', [a @ b'0'..=b'3', b @ b'0'..=b'7', c @ b'0'..=b'7', after @ ..]) => {
                out.push((a - b'0') * 64 + (b - b'0') * 8 + (c - b'0'));
                after
            }
            _ => {
                out.push(*first);
                after
            }
        };
    }
    out
}

/// A mount's state; `line` is missing for a ghost.
fn state(
    line: Option<&Line>,
    target: &str,
    ensure: Result<Value, ProviderError>,
    wanted: impl Fn(&str) -> Value,
    select: Select<'_>,
) -> State {
    let column = |of: fn(&Line) -> Option<&str>| Ok(text_or_absent(line.and_then(of)));
    let foreign = |name| match wanted(name) {
        Value::Nil => Ok(text_or_absent(None)),
        wish => Ok(wish),
    };
    let properties: [Property; 9] = [
        ("ensure", ensure),
        ("device", column(|l| Some(&l.device))),
        ("blockdevice", foreign("blockdevice")),
        ("fstype", column(|l| l.fstype.as_deref())),
        ("options", column(|l| l.options.as_deref())),
        ("pass", column(|l| l.pass.as_deref())),
        ("atboot", foreign("atboot")),
        ("dump", column(|l| l.dump.as_deref())),
        ("target", Ok(Value::str(target))),
    ];
    pick(select, properties)
}

fn mounted_or_not(points: &Result<IndexSet<String>, ProviderError>, name: &str) -> Result<Value, ProviderError> {
    let points = points.as_ref().map_err(Clone::clone)?;
    Ok(Value::sym(if points.contains(name) { "mounted" } else { "unmounted" }))
}

impl Provider for ParsedMounts {
    fn needs(&self, system: &System, request: Request<'_>, properties: &[&str]) -> Vec<Need> {
        let mut needed: Vec<Need> = records::needs(self, system, request, properties, &records::opener(self)).into_iter().collect();
        if request.resource.wanted("ensure").is_sym("mounted") {
            let path = request.name;
            let directory = Thing::Directory(path.into());
            if directory.exists(system) {
                let point = MountPoint { system, path, line: None };
                let fstype = request.resource.wanted("fstype");
                needed.extend(point.foreseen(fstype.as_text().unwrap_or("auto")).map(|error| Need::impossible(&error)));
            }
            needed.push(Need::new(directory, format!("cannot mount {path}: the directory {path} does not exist")));
        }
        needed
    }

    fn reads(&self) -> &'static [&'static str] {
        &["ensure", "device", "blockdevice", "fstype", "options", "pass", "atboot", "dump", "target"]
    }

    fn queries(&self) -> &'static [&'static str] {
        &["mounted?"]
    }

    fn get(&self, system: &System, requests: &[Request<'_>], select: Select<'_>) -> Vec<Reading> {
        let points = mount_points(system);
        let open = records::opener(self);
        let mut files = TextFiles::new(system, &open);
        let mut read = |request: &Request<'_>| {
            let wanted = |name: &str| request.resource.wanted(name);
            let line = |line: &Line, target: &str| state(Some(line), target, mounted_or_not(&points, request.name), wanted, select);
            match (records::read(self, &mut files, *request, line), &points) {
                // Not in the table: whether it exists hangs on the kernel alone.
                (Reading::Absent, Ok(points)) if points.contains(request.name) => {
                    let target = wanted("target");
                    let target = target.as_text().unwrap_or(FSTAB);
                    Reading::Present(state(None, target, Ok(Value::sym("ghost")), wanted, select))
                }
                (Reading::Absent, Err(error)) => Reading::Error(error.clone()),
                (reading, _) => reading,
            }
        };
        requests.iter().map(&mut read).collect()
    }

    fn instances(&self, system: &System, select: Select<'_>) -> Result<Vec<ListedResource>, ProviderError> {
        let points = mount_points(system)?;
        let open = records::opener(self);
        let mut files = TextFiles::new(system, &open);
        let lines = files.open(FSTAB)?;
        let nothing = |_: &str| Value::Nil;
        let mut seen = HashSet::new();
        let mut found = Vec::new();
        for line in lines.iter().map(|(_, line)| line).filter(|l| seen.insert(l.name.as_str())) {
            let ensure = Ok(Value::sym(if points.contains(&line.name) { "mounted" } else { "unmounted" }));
            found.push(ListedResource { name: line.name.as_str().into(), state: state(Some(line), FSTAB, ensure, nothing, select) });
        }
        for point in points.iter().filter(|p| !seen.contains(p.as_str())) {
            let ghost = state(None, FSTAB, Ok(Value::sym("ghost")), nothing, select);
            found.push(ListedResource { name: point.as_str().into(), state: ghost });
        }
        Ok(found)
    }

    fn writes(&self) -> &'static [&'static str] {
        &["device", "blockdevice", "fstype", "options", "pass", "atboot", "dump", "target"]
    }

    fn actions(&self) -> &'static [&'static str] {
        &["create", "destroy", "flush", "mount", "unmount", "remount"]
    }

    fn call(&self, system: &System, change: &mut Change<'_>, action: &str, _: &[Value]) -> Result<Value, ProviderError> {
        if !matches!(action, "mount" | "unmount" | "remount") {
            return change.note(action);
        }
        let table = system.read(FSTAB)?.unwrap_or_default();
        let line = table.lines().filter_map(parse_line).find(|line| line.name == change.name);
        let point = MountPoint { system, path: change.name, line: line.as_ref() };
        match action {
            "mount" => point.mount()?,
            "unmount" => point.unmount()?,
            _ if change.resource.wanted("remounts").to_text() == "true" => point.remount()?,
            _ => {
                point.unmount()?;
                point.mount()?;
            }
        }
        Ok(Value::Nil)
    }

    fn flush(&self, system: &System, changes: &mut [Change<'_>]) -> Vec<Result<(), ProviderError>> {
        records::flush(self, system, changes)
    }

    fn query(&self, system: &System, request: Request<'_>, method: &str, _: &[Value]) -> Result<Value, ProviderError> {
        match method {
            "mounted?" => Ok(mount_points(system)?.contains(request.name).into()),
            _ => Err(ProviderError::new(format!("the provider does not answer `{method}`"))),
        }
    }
}

impl RecordFormat for ParsedMounts {
    type Record = Line;

    fn file(&self) -> Option<EcoString> {
        Some(FSTAB.into())
    }

    fn parse(&self, line: &str) -> Option<Line> {
        parse_line(line)
    }

    fn is_of(&self, line: &Line, request: Request<'_>) -> bool {
        line.name == request.name
    }

    fn print(&self, was: Option<&Line>, wish: &RecordChange<'_, '_>) -> Result<String, ProviderError> {
        let needs = |what: &str| ProviderError::new(format!("a line of the mount table needs a `{what}`"));
        let column = |name: &str, of: fn(&Line) -> Option<&str>| wish.text(name, was.and_then(of));
        let device = column("device", |l| Some(&l.device)).ok_or_else(|| needs("device"))?;
        let fstype = column("fstype", |l| l.fstype.as_deref()).ok_or_else(|| needs("fstype"))?;
        let options = column("options", |l| l.options.as_deref()).unwrap_or_else(|| "defaults".into());
        let mut columns = vec![encoded(&device), encoded(wish.name()), fstype, options];
        let (dump, pass) = (column("dump", |l| l.dump.as_deref()), column("pass", |l| l.pass.as_deref()));
        if dump.is_some() || pass.is_some() {
            columns.push(dump.unwrap_or_else(|| "0".into()));
        }
        columns.extend(pass);
        columns.extend(was.map(|line| line.rest.clone()).filter(|rest| !rest.is_empty()));
        Ok(columns.join("\t"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::native::common::testing::{Wants, apply, error, get, get_wanting, line, machine, present, program, root};

    fn shown(name: &str) -> String {
        line(&present(get(&ParsedMounts, &root("mounts"), name)))
    }

    #[test]
    fn a_line_whose_mount_point_is_mounted_is_mounted() {
        assert_eq!(
            shown("/"),
            r#"ensure=:mounted device="UUID=1-2" blockdevice=:absent fstype="ext4" options="rw,errors=remount-ro" pass="1" atboot=:absent dump="0" target="/etc/fstab""#
        );
    }

    #[test]
    fn listed_mount_point_without_mount_is_unmounted() {
        assert!(shown("/srv").starts_with(r#"ensure=:unmounted device="/dev/sdb1""#));
    }

    #[test]
    fn a_mount_without_a_line_is_a_ghost() {
        assert_eq!(
            shown("/proc"),
            r#"ensure=:ghost device=:absent blockdevice=:absent fstype=:absent options=:absent pass=:absent atboot=:absent dump=:absent target="/etc/fstab""#
        );
    }

    #[test]
    fn what_is_in_neither_place_is_absent() {
        assert_eq!(get(&ParsedMounts, &root("mounts"), "/nowhere"), Reading::Absent);
        assert_eq!(get(&ParsedMounts, &root("mounts"), "/commented"), Reading::Absent);
    }

    #[test]
    fn escaped_blanks_are_blanks_in_both_places() {
        assert!(shown("/mnt/my disk").starts_with(r#"ensure=:mounted device="//nas/my share""#));
    }

    #[test]
    fn the_kernels_other_escapes_are_read_too() {
        assert!(shown("/mnt/tab\there\\").starts_with("ensure=:ghost"));
    }

    #[test]
    fn trailing_slashes_do_not_count() {
        assert!(shown("/mnt/slash").starts_with("ensure=:unmounted"));
    }

    #[test]
    fn columns_at_the_end_may_be_missing() {
        assert!(shown("/two").ends_with(r#"fstype=:absent options=:absent pass=:absent atboot=:absent dump=:absent target="/etc/fstab""#));
        assert_eq!(get(&ParsedMounts, &root("mounts"), "lonely"), Reading::Absent);
    }

    #[test]
    fn text_after_the_last_column_is_ignored_and_kept() {
        assert!(shown("/more").contains("pass=\"2\""));
        let (_folder, system) = machine(&[(FSTAB, "/dev/a /a ext4 ro 0 2 # the  disk\n"), (MOUNTINFO, "")]);
        apply(&ParsedMounts, &system, "/a", &[("options", Value::str("rw"))]).unwrap();
        assert_eq!(system.read(FSTAB).unwrap().unwrap(), "/dev/a\t/a\text4\trw\t0\t2\t# the  disk\n");
    }

    #[test]
    fn an_indented_line_is_read_as_mount_reads_it() {
        assert!(shown("/indented").starts_with(r#"ensure=:unmounted device="/dev/sdc1""#));
    }

    #[test]
    fn carriage_returns_are_white_space() {
        assert!(shown("/dos").contains(r#"pass="0""#));
    }

    #[test]
    fn of_duplicates_the_first_counts_and_is_listed_once() {
        assert!(shown("none").contains(r#"device="/swap1""#));
        let all = ParsedMounts.instances(&root("mounts"), Select::All).unwrap();
        assert_eq!(all.iter().filter(|f| f.name == "none").count(), 1);
        assert_eq!(all.iter().filter(|f| f.name == "/proc").count(), 1);
    }

    #[test]
    fn columns_that_linux_has_not_read_as_they_are_wanted() {
        let wants = Wants(vec![("atboot", Value::sym("yes"))]);
        assert!(line(&present(get_wanting(&ParsedMounts, &root("mounts"), "/", &wants))).contains("atboot=:yes"));
    }

    #[test]
    fn whether_it_is_mounted_can_be_asked() {
        let ask = |name| ParsedMounts.query(&root("mounts"), Request { name, resource: &Wants::default() }, "mounted?", &[]);
        assert_eq!(ask("/proc"), Ok(Value::Bool(true)));
        assert_eq!(ask("/srv"), Ok(Value::Bool(false)));
        assert!(ask("/").is_ok());
    }

    #[test]
    fn without_mountinfo_only_ensure_is_unknown_for_what_is_in_the_table() {
        let root = root("no-mountinfo");
        assert!(line(&present(get(&ParsedMounts, &root, "/srv"))).starts_with(r#"ensure! device="/dev/sdb1""#));
        assert!(error(get(&ParsedMounts, &root, "/other")).contains("/proc/self/mountinfo"));
        assert!(ParsedMounts.instances(&root, Select::All).is_err());
    }

    #[test]
    fn an_unreadable_table_is_an_error_even_for_what_is_mounted() {
        assert!(error(get(&ParsedMounts, &root("unreadable"), "/")).starts_with("cannot read /etc/fstab"));
    }

    const TABLE: &str = "# fstab\nUUID=1-2 /  ext4   errors=remount-ro 0 1\n\n/dev/sdb1 /srv ext4 noatime\nproc\n/s none swap sw 0 0\n";
    const MOUNTED: &str =
        "1 0 8:1 / / rw - ext4 /dev/sda1 rw\n2 1 8:2 / /srv rw - ext4 /dev/sdb1 rw\n3 1 8:3 / /ghost rw - ext4 /dev/sdc1 rw\n";

    fn after(name: &str, wants: &[(&'static str, Value)]) -> String {
        let (_folder, system) = machine(&[(FSTAB, TABLE), (MOUNTINFO, MOUNTED)]);
        apply(&ParsedMounts, &system, name, wants).unwrap();
        system.read(FSTAB).unwrap().unwrap()
    }

    #[test]
    fn a_new_line_has_its_columns_parted_by_tabs_and_all_else_stays() {
        let wants =
            [("device", Value::str("//nas/my share")), ("fstype", Value::str("cifs")), ("pass", Value::Int(0)), ("dump", Value::Int(0))];
        assert_eq!(after("/mnt/my disk", &wants), format!("{TABLE}//nas/my\\040share\t/mnt/my\\040disk\tcifs\tdefaults\t0\t0\n"));
    }

    #[test]
    fn one_column_changes_the_others_of_the_line_stay() {
        let line = "/dev/sdb1 /srv ext4 noatime";
        assert_eq!(after("/srv", &[("options", Value::str("ro"))]), TABLE.replace(line, "/dev/sdb1\t/srv\text4\tro"));
        assert_eq!(after("/srv", &[("pass", Value::Int(2))]), TABLE.replace(line, "/dev/sdb1\t/srv\text4\tnoatime\t0\t2"));
        assert_eq!(after("none", &[("ensure", Value::sym("absent"))]), TABLE.replace("/s none swap sw 0 0\n", ""));
    }

    #[test]
    fn what_is_mounted_without_a_line_gets_one() {
        let (_folder, system) = machine(&[(FSTAB, TABLE), (MOUNTINFO, MOUNTED)]);
        let resource = Wants(vec![("device", Value::str("/dev/sdc1")), ("fstype", Value::str("ext4"))]);
        let is = get_wanting(&ParsedMounts, &system, "/ghost", &resource);
        let mut change = Change::new(Request { name: "/ghost", resource: &resource }, &is);
        ParsedMounts.call(&system, &mut change, "create", &[]).unwrap();
        ParsedMounts.flush(&system, &mut [change]).remove(0).unwrap();
        assert_eq!(system.read(FSTAB).unwrap().unwrap(), format!("{TABLE}/dev/sdc1\t/ghost\text4\tdefaults\n"));
    }

    #[test]
    fn without_device_or_type_nothing_is_written() {
        let (_folder, system) = machine(&[(FSTAB, TABLE), (MOUNTINFO, MOUNTED)]);
        let refused = apply(&ParsedMounts, &system, "/new", &[("fstype", Value::str("ext4"))]).unwrap_err();
        assert_eq!(refused.message, "a line of the mount table needs a `device`");
        assert_eq!(system.read(FSTAB).unwrap().unwrap(), TABLE);
    }

    #[test]
    fn mounting_is_what_the_programs_do() {
        let (_folder, system) = machine(&[]);
        program(&system, "mount", "echo mount \"$@\" >> $0.log");
        program(&system, "umount", "echo umount \"$@\" >> ${0%/*}/mount.log; exit 32");
        let act = |action, wants| {
            let resource = Wants(wants);
            let absent = Reading::Absent;
            let mut change = Change::new(Request { name: "/srv", resource: &resource }, &absent);
            ParsedMounts.call(&system, &mut change, action, &[])
        };
        act("mount", vec![]).unwrap();
        act("remount", vec![("remounts", Value::sym("true"))]).unwrap();
        assert_eq!(act("unmount", vec![]).unwrap_err().message, "`umount -- /srv` exited with 32");
        act("remount", vec![]).unwrap_err();
        let log = system.read("/usr/bin/mount.log").unwrap().unwrap();
        assert_eq!(log, "mount -- /srv\nmount -o remount -- /srv\numount -- /srv\numount -- /srv\n");
    }

    #[test]
    fn below_a_directory_of_another_user_the_programs_get_an_open_directory() {
        if !nix::unistd::Uid::effective().is_root() {
            eprintln!("skipped: needs root");
            return;
        }
        let table = "tmpfs /home/anna/tmp tmpfs size=1m\nnas:/x /home/anna/nas nfs ro\ntmpfs /home/anna/link tmpfs\n";
        let (_folder, system) = machine(&[(FSTAB, table), ("/home/anna/tmp/x", ""), ("/home/anna/nas/x", ""), ("/etc/profile.d/x", "")]);
        std::os::unix::fs::symlink("/etc/profile.d", system.path("/home/anna/link")).unwrap();
        let own = |path: &str| std::os::unix::fs::lchown(system.path(path), Some(1234), Some(1234)).unwrap();
        ["/home/anna", "/home/anna/link"].into_iter().for_each(own);
        program(&system, "mount", "echo mount \"$@\" in $(pwd) >> $0.log");
        program(&system, "umount", "echo umount \"$@\" in $(pwd) >> ${0%/*}/mount.log");
        program(&system, "mount.nfs", "exit 1");
        let act = |name, action| {
            let resource = Wants(vec![("remounts", Value::sym("true"))]);
            let mut change = Change::new(Request { name, resource: &resource }, &Reading::Absent);
            ParsedMounts.call(&system, &mut change, action, &[]).map_err(|e| e.message)
        };
        act("/home/anna/tmp", "mount").unwrap();
        act("/home/anna/tmp", "remount").unwrap();
        act("/home/anna/tmp", "unmount").unwrap();
        let log = system.read("/usr/bin/mount.log").unwrap().unwrap().replace(system.path("").to_str().unwrap(), "/");
        let expected = "mount --no-canonicalize --internal-only -t tmpfs -o size=1m -- tmpfs . in /home/anna/tmp\n\
             mount --no-canonicalize --internal-only -t tmpfs -o remount,size=1m -- tmpfs . in /home/anna/tmp\n\
             umount --no-canonicalize --internal-only -- tmp in /home/anna\n";
        assert_eq!(log, expected);
        assert!(act("/home/anna/nas", "mount").unwrap_err().contains("another user controls the path"));
        assert!(act("/home/anna/link", "mount").unwrap_err().contains("another user controls"));
        assert_eq!(system.read("/usr/bin/mount.log").unwrap().unwrap().lines().count(), 3);
    }

    #[test]
    fn words_whose_escapes_are_not_utf8_stay_as_they_are() {
        for word in ["LABEL=M\\344rz", "a\\040\\344"] {
            assert_eq!((decoded(word).as_str(), encoded(word).as_str()), (word, word));
        }
        for value in ["a b", "a\\040b", "M\u{e4}rz", "#a", "a\\b"] {
            assert_eq!(decoded(&encoded(value)), value);
        }
    }
    #[test]
    fn mount_points_that_other_users_redirect_are_foreseen() {
        if !nix::unistd::Uid::effective().is_root() {
            eprintln!("skipped: needs root");
            return;
        }
        let root = tempfile::tempdir().unwrap();
        for directory in ["etc/profile.d", "home/eve", "srv/own"] {
            std::fs::create_dir_all(root.path().join(directory)).unwrap();
        }
        std::os::unix::fs::symlink("/etc", root.path().join("home/eve/way")).unwrap();
        for path in ["home/eve", "home/eve/way"] {
            std::os::unix::fs::lchown(root.path().join(path), Some(65534), Some(65534)).unwrap();
        }
        let system = System::at(root.path());
        let wants = Wants(vec![("ensure", Value::sym("mounted")), ("fstype", Value::str("ext4"))]);
        let is_impossible = |name: &str| {
            let needed = ParsedMounts.needs(&system, Request { name, resource: &wants }, &["ensure"]);
            needed.iter().any(|need| need.any_of.is_empty())
        };
        assert!(is_impossible("/home/eve/way/profile.d"));
        assert!(!is_impossible("/srv/own"));
    }
}
