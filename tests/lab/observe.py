"""One scenario on one machine: what a program said that it did, and what the machine is like afterwards."""

import datetime
import hashlib
import json
import os
import pathlib
import stat
import struct
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
TIMEOUT = 300
# What is asked of the machine itself. Each line of an answer is a fact; its first word is what it is about.
QUESTIONS = {
    "package": "dpkg-query -W -f '${Package} ${Version} ${db:Status-Want} ${db:Status-Status}\\n'",
    "automatic": "apt-mark showauto",
    "unit file": "systemctl list-unit-files --no-legend --plain --type=service,timer,socket,mount",
    # Without mount units, which systemd creates some time after a mount; `mount` lists the mounts.
    "unit": "systemctl list-units --all --no-legend --plain --type=service,timer,socket | awk '{ print $1, $2, $3, $4 }'",
    "mount": "findmnt -rn -o TARGET,FSTYPE,VFS-OPTIONS,FS-OPTIONS | grep -E '^/(srv|mnt)'",
    "process": "ps -eo args --no-headers | grep '[/]srv/' | sort",
}
PROGRAMS = {
    "puppet": "exec puppet apply --color=false --detailed-exitcodes --modulepath=/lab/puppet:/usr/share/puppet/modules --reports=twins {flags} /lab/{manifest}",
    "rtype": "exec /lab/rtype apply --detailed-exitcodes --state-dir /var/lib/rtype --report $TWINS_REPORT {flags} {input}",
}
# For types whose providers exist only in Ruby.
RUBY = ("--ruby-providers", "--modulepath", "/usr/share/puppet/modules")
# What Puppet's compiler makes of a manifest, on the machine itself, for manifests with classes and defined types.
COMPILE = "puppet catalog compile lab --modulepath=/lab/puppet:/usr/share/puppet/modules --render-as rich_data_json --manifest /lab/{manifest} 2>&1"
CATALOG = "/run/catalog.json"
# What Puppet is found to have done depends on these; the number goes up when something else here does.
HOW = (1, QUESTIONS, PROGRAMS["puppet"])


class Machine:
    """A machine that is there as long as the block."""

    def __init__(self, lab, name, shared):
        self.lab, self.name, self.shared = lab, name, shared

    def control(self, verb, *rest, **options):
        # A session of its own: the kernel shares the processor out between sessions.
        options |= {"text": True, "errors": "replace", "start_new_session": True}
        if "input" not in options:
            options["stdin"] = subprocess.DEVNULL
        return subprocess.run([HERE / "machine", verb, self.lab, self.name, *rest], **options)

    def __enter__(self):
        try:
            self.control("start", self.shared, check=True, timeout=TIMEOUT)
        except subprocess.SubprocessError:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        self.control("stop", timeout=TIMEOUT)

    def run(self, *command, **environment):
        """Ends as the command; a command that takes too long has the status 124, as with `timeout`."""
        variables = ["env", *(f"{key}={value}" for key, value in environment.items())]
        done = self.control("run", "timeout", str(TIMEOUT), *variables, *command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        return done.returncode, done.stdout

    def write(self, path, text):
        """Puts a file into the machine, outside of what is compared."""
        self.control("run", "sh", "-c", f"cat > {path}", input=text, check=True)

    @property
    def changed(self):
        """The directory with the differences from the tree."""
        return pathlib.Path(self.lab, "machines", self.name, "changed")


def observe(side, scenario, machine):
    """Sets the machine up, applies the manifest twice, and looks."""
    status, output = machine.run("sh", "-euc", scenario.setup or "true")
    if status:
        return {"broken": f"setup ended with {status}: {output}"}
    runs = []
    for number in (1, 2):
        if number == 2 and scenario.between:
            status, output = machine.run("sh", "-euc", scenario.between)
            if status:
                return {"broken": f"what is between the runs ended with {status}: {output}"}
        runs.append(apply(side, scenario, machine))
    return {"runs": runs, "day": days(), "facts": facts(machine), "tree": tree(machine.changed)}


def apply(side, scenario, machine):
    report = "/run/twins.json"
    machine.run("rm", "-f", report)
    manifest = f"scenarios/{side}/{scenario.name}.pp"
    applied = f"/lab/{manifest}"
    if side == "rtype" and scenario.compiled:
        status, output = machine.run("sh", "-c", COMPILE.format(manifest=manifest))
        catalog = next((line for line in output.splitlines() if line.startswith("{")), None)
        if status or catalog is None:
            return {"exit": status, "output": f"Puppet's compiler ends with {status}: {output}", "resources": {}}
        machine.write(CATALOG, catalog)
        applied = CATALOG
    flags = [*scenario.flags, *(RUBY if side == "rtype" and scenario.ruby else ())]
    command = PROGRAMS[side].format(flags=" ".join(flags), manifest=manifest, input=applied)
    status, output = machine.run("sh", "-c", command, TWINS_REPORT=report)
    _, text = machine.run("sh", "-c", f"cat {report} 2>/dev/null || true")
    reader = {"puppet": from_puppet, "rtype": from_rtype}[side]
    return {"exit": status, "output": output, "resources": reader(text)}


def from_puppet(text):
    resources = {one["resource"]: one for one in json.loads(text or "[]")}
    for one in resources.values():
        one.pop("resource")
    return resources


def from_rtype(text):
    resources = {}
    for line in map(json.loads, text.splitlines()):
        if line["kind"] not in ("event", "resource"):
            continue
        one = resources.setdefault(line["resource"], {"failed": False, "skipped": False, "events": []})
        if line["kind"] == "event":
            one["events"].append({key: line.get(key) for key in ("property", "status", "previous", "desired", "message")})
        else:
            one["failed"] = line["status"] == "failed" or line["refresh_failed"]
            one["skipped"] = line["status"] == "skipped"
    return resources


def days():
    return (datetime.date.today() - datetime.date(1970, 1, 1)).days


def facts(machine):
    found = {}
    for about, command in QUESTIONS.items():
        _, output = machine.run("sh", "-c", f"{command} || true")
        found[about] = sorted(line.strip() for line in output.splitlines())
    return found


def tree(top):
    """Every path in a directory, as `entry` sees it."""
    found = {}
    for folder, folders, files in os.walk(top):
        for name in folders + files:
            path = os.path.join(folder, name)
            found["/" + os.path.relpath(path, top)] = entry(path)
    return found


def entry(path):
    """A file, directory or link: all that is compared of it."""
    found = os.lstat(path)
    if stat.S_ISCHR(found.st_mode) and found.st_rdev == 0:
        return {"kind": "deleted"}
    kind = {stat.S_IFREG: "file", stat.S_IFDIR: "directory", stat.S_IFLNK: "link"}.get(stat.S_IFMT(found.st_mode), "special")
    seen = {"kind": kind, "owner": found.st_uid, "group": found.st_gid}
    if kind == "link":
        return seen | {"target": os.readlink(path)}
    seen["mode"] = f"{stat.S_IMODE(found.st_mode):04o}"
    if kind == "file":
        seen |= content(path)
    for name in os.listxattr(path, follow_symlinks=False):
        value = os.getxattr(path, name, follow_symlinks=False)
        if name == "trusted.overlay.opaque":
            seen["opaque"] = True
        elif name.startswith("system.posix_acl_"):
            seen[name.removeprefix("system.posix_")] = acl(value)
        elif not name.startswith("trusted."):
            seen[name] = value.hex()
    return seen


def content(path):
    data = pathlib.Path(path).read_bytes()
    try:
        if len(data) < 100_000:
            return {"text": data.decode()}
    except UnicodeDecodeError:
        pass
    return {"sha256": hashlib.sha256(data).hexdigest()}


def acl(value):
    """An access control list in the format of the kernel, as text."""
    tags = {1: "user:", 2: "user:", 4: "group:", 8: "group:", 16: "mask:", 32: "other:"}
    entries = []
    for tag, rights, who in struct.iter_unpack("<HHI", value[4:]):
        named = str(who) if tag in (2, 8) else ""
        entries.append(f"{tags.get(tag, tag)}{named}:" + "".join(c if rights & bit else "-" for c, bit in (("r", 4), ("w", 2), ("x", 1))))
    return " ".join(entries)
