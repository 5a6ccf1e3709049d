"""Two observations of one scenario: what differs, apart from what cannot be alike."""

import difflib
import pathlib
import re

from observe import entry

# Paths that differ between any two machines, or belong to one of the two programs alone.
NOISE = [
    (r"/var/log/.*", "logs"),
    (r"/var/cache/.*", "caches; Puppet keeps its state there"),
    (r"/(etc|var/lib)/puppet(/.*)?", "Puppet's own"),
    (r"/var/lib/rtype(/.*)?", "rtype's own state"),
    (r"/var/lib/apt/.*", "lists of what can be installed, with times"),
    (r"/var/lib/dpkg/.*", "dpkg is asked instead; its files have times"),
    (r"/var/lib/systemd/.*", "times of timers, seeds of random numbers"),
    (r"/var/tmp/systemd-private-.*", "with a random name, when a service that has it runs"),
    (r"/etc/machine-id", "made at boot"),
    (r"/etc/(passwd|group|shadow|gshadow|subuid|subgid)-", "copies that the tools keep of the time before their last change"),
    (r"/etc/\.pwd\.lock", "a lock"),
    (r".*/\.git/(index|logs(/.*)?|ORIG_HEAD|FETCH_HEAD)", "times, and what was fetched when"),
]
# Resources that Puppet adds to every catalog.
OWN = re.compile(r"Schedule\[(puppet|hourly|daily|weekly|monthly|never)\]|Filebucket\[puppet\]")
# Lines that name the program or the time.
HEADER = re.compile(r"^# (HEADER.*|\(.* installed on .*)\n", re.MULTILINE)
# Files that Puppet writes anew, with its own blanks in every line; rtype leaves lines as they are that it does not change.
REWRITTEN = re.compile(r"/etc/(hosts|fstab|aliases|sysctl\.conf|ssh/ssh_known_hosts)")
# Units that come and go by themselves.
RESTLESS = re.compile(r"^(systemd-|user@|user-runtime|session-|run-|getty|console-getty|apt-daily|dpkg-db|e2scrub|modprobe@|initrd|emergency|rescue|dev-|sys-|proc-|tmp\.)")


def differences(scenario, puppet, rtype, lower):
    """Returns all differences as text. `lower` is the tree that both machines started from."""
    if broken := breakage(puppet, rtype):
        return broken
    lower = pathlib.Path(lower)
    found = []
    for number, (theirs, ours) in enumerate(zip(puppet["runs"], rtype["runs"], strict=True), 1):
        found += [f"run {number}: {one}" for one in run(theirs, ours, alike=not scenario.puppet)]
    found += facts(puppet["facts"], rtype["facts"])
    found += [words for _, _, words in trees(scenario, puppet, rtype, lower)]
    return found


def breakage(puppet, rtype):
    return [f"{side}: {seen['broken']}" for side, seen in (("Puppet", puppet), ("rtype", rtype)) if "broken" in seen]


def misstatements(scenario, puppet, rtype, lower):
    """Returns where a listed scenario is not what its field `rtype` states.

    rtype's runs must be as stated, each stated fact about the machine must hold, and the machines may differ only in
    what is stated. So a listed deviation cannot hide a second one.
    """
    if broken := breakage(puppet, rtype):
        return broken
    lower = pathlib.Path(lower)
    found = []
    for number, ours in enumerate(rtype["runs"], 1):
        stated, actual = set(scenario.states.runs.get(number, [])), set(summary(ours))
        found += [f"run {number}: stated, but rtype did not: {one}" for one in sorted(stated - actual)]
        found += [f"run {number}: not stated, but rtype did: {one}" for one in sorted(actual - stated)]
    paths = scenario.states.paths
    for path, what, words in trees(scenario, puppet, rtype, lower):
        if what not in stated_of(paths, path):
            found.append(f"not stated: {words}")
    for pattern in paths:
        found += unlike(pattern, paths, rtype, lower)
    found += [f"not stated: {one}" for one in facts(puppet["facts"], rtype["facts"])]
    return found


def summary(ours):
    """Returns one run of rtype as lines like those of the field `rtype`."""
    lines = [f"exit {ours['exit']}"]
    for what, of in (("event", events), ("failed", failed), ("skipped", skipped)):
        lines += [f"{what} {one}" for one in of(ours)]
    return lines


def stated_of(paths, path):
    """Returns what is stated of a path. Of several patterns that match, the last one wins."""
    facts = {}
    for pattern, stated in paths.items():
        if re.fullmatch(glob(pattern), path):
            facts |= stated
    return facts


def unlike(pattern, paths, rtype, lower):
    """Returns the facts of a pattern that do not hold; at least one path must match it."""
    known = [path for path in rtype["tree"] if re.fullmatch(glob(pattern), path)]
    if not known and "*" in pattern:
        return [f"nothing matches `{pattern}`"]
    found = []
    for path in known or [pattern]:
        actual = state(path, rtype, lower)
        for what, value in stated_of(paths, path).items():
            if what in paths[pattern] and str(actual.get(what)) != value:
                found.append(f"{path}: {what} is {actual.get(what)!r}, stated is {value!r}")
    return found


def run(theirs, ours, alike):
    if exit_status(theirs) != ours["exit"]:
        yield f"exit status: Puppet {theirs['exit']}, rtype {ours['exit']}{last_words(ours)}"
    if theirs["exit"] == ours["exit"] == 1:
        # Both refused the whole; Puppet counts all resources in a circle as failed then.
        return
    if not alike:
        # The same by other resources.
        return
    for what, of in (("event", events), ("failed", failed), ("skipped", skipped)):
        left, right = of(theirs), of(ours)
        for one in sorted(left - right):
            yield f"{what}: only Puppet: {one}"
        for one in sorted(right - left):
            yield f"{what}: only rtype: {one}"


def exit_status(theirs):
    """Puppet's status, but what would change counts as a change: Puppet's 0 does not say."""
    would = any(event["status"] == "noop" for one in theirs["resources"].values() for event in one["events"])
    return theirs["exit"] | 2 if would else theirs["exit"]


def last_words(ours):
    return f": {ours['output'].strip()[-300:]}" if ours["exit"] not in (0, 2) and not ours["resources"] else ""


def events(seen):
    """What was changed, would have been, or is watched."""
    happened = ((name, event) for name, one in seen["resources"].items() for event in one["events"])
    return {f"{name}/{event['property'] or 'refresh'} {event['status']}" for name, event in happened if is_compared(event)}


def is_compared(event):
    if event["status"] == "failure":
        # It counts for its resource, wherever in it it happened.
        return False
    # Puppet reports a refresh in noop mode only in its log, and not in its report.
    return event["property"] is not None or event["status"] != "noop"


def failed(seen):
    return {name for name, one in seen["resources"].items() if one["failed"]}


def skipped(seen):
    return {name for name, one in seen["resources"].items() if one["skipped"] and not OWN.fullmatch(name)}


def facts(theirs, ours):
    for about in theirs:
        left, right = ({fact(line) for line in seen[about] if not RESTLESS.match(line)} for seen in (theirs, ours))
        for line in sorted(left - right):
            yield f"{about}: only with Puppet: {line}"
        for line in sorted(right - left):
            yield f"{about}: only with rtype: {line}"


def fact(line):
    """Without the machine's name; systemd forgets at any time what is not running."""
    return re.sub(r"/machines/[^/]*/", "/machines/NAME/", "" if line.endswith(" loaded inactive dead") else line)


def trees(scenario, puppet, rtype, lower):
    """Yields each difference between the machines' files as its path, the fact that differs, and text."""
    noise = re.compile("|".join([f"{pattern}" for pattern, _ in NOISE] + [glob(path) for path in scenario.ignore]))
    for path in sorted(puppet["tree"].keys() | rtype["tree"].keys()):
        if noise.fullmatch(path):
            continue
        left, right = state(path, puppet, lower), state(path, rtype, lower)
        if left == right:
            continue
        for what in ["kind"] if left["kind"] != right["kind"] else sorted(left.keys() | right.keys()):
            if left.get(what) == right.get(what):
                continue
            if what == "text" and "text" in left and "text" in right:
                lines = difflib.unified_diff(left[what].splitlines(), right[what].splitlines(), "Puppet", "rtype", lineterm="", n=1)
                yield path, what, f"{path}:\n" + "\n".join(f"      {line}" for line in lines)
            else:
                yield path, what, f"{path}: {what}: Puppet {left.get(what)!r}, rtype {right.get(what)!r}"


def glob(path):
    return re.escape(path).replace(r"\*\*", ".*").replace(r"\*", "[^/]*")


def state(path, seen, lower):
    """What is at a path: what was changed, or else what the tree has there."""
    if path in seen["tree"]:
        found = dict(seen["tree"][path])
        found.pop("opaque", None)
    elif hidden(path, seen["tree"]) or not (lower / path[1:]).is_symlink() and not (lower / path[1:]).exists():
        found = {"kind": "deleted"}
    else:
        found = entry(lower / path[1:])
    if found["kind"] == "deleted":
        return {"kind": "nothing"}
    if "text" in found:
        found["text"] = HEADER.sub("", found["text"])
        if REWRITTEN.fullmatch(path):
            found["text"] = "\n".join(" ".join(line.replace("=", " = ").split()) for line in found["text"].splitlines())
        if path == "/etc/shadow":
            before = entry(lower / path[1:]).get("text", "").splitlines(keepends=True) if (lower / path[1:]).exists() else []
            found["text"] = "".join(changed_today(line, seen["day"], before) for line in found["text"].splitlines(keepends=True))
    return found


def changed_today(line, day, before):
    """A line of /etc/shadow with a word for the day of the run. The machine may have been made on another day, or on the same."""
    return line if line in before else re.sub(rf"^([^:]*:[^:]*):{day}:", r"\1:today:", line)


def hidden(path, tree):
    """Whether a parent directory was removed or recreated."""
    for above in pathlib.PurePosixPath(path).parents:
        one = tree.get(str(above), {})
        if one.get("opaque") or one.get("kind") not in (None, "directory"):
            return True
    return False
