"""Scenarios: a manifest for both programs, and above it in comments what is to be known of it."""

import json
import pathlib
import re
from dataclasses import dataclass, field

ROOT = pathlib.Path(__file__).resolve().parent / "scenarios"
FIELDS = ("setup", "between", "flags", "exits", "deviates", "rtype", "ignore", "set", "puppet", "compiled", "ruby")


class Malformed(Exception):
    """A scenario that cannot be understood."""


@dataclass
class States:
    """What rtype does where it deviates: lines of each run, and facts of paths by pattern."""

    runs: dict[int, list[str]] = field(default_factory=dict)
    paths: dict[str, dict[str, str]] = field(default_factory=dict)


@dataclass
class Scenario:
    """One scenario; README.md documents the fields."""

    name: str
    path: pathlib.Path
    about: str
    manifest: str
    exits: list[int]
    setup: str = ""
    between: str = ""
    flags: list[str] = field(default_factory=list)
    deviates: str = ""
    states: States = field(default_factory=States)
    ignore: list[str] = field(default_factory=list)
    small: bool = False
    compiled: bool = False
    ruby: bool = False
    puppet: str = ""

    def of(self, side):
        """The manifest for one of the programs."""
        return self.puppet if side == "puppet" and self.puppet else self.manifest

    def identity(self):
        """All that decides what Puppet does with it."""
        return "\0".join([self.of("puppet"), self.setup, self.between, " ".join(self.flags)])


def parse(name, path):
    """Reads one file. Comments up to the first line without one are the header."""
    lines = path.read_text().splitlines()
    header = []
    while lines and lines[0].startswith("#"):
        header.append(lines.pop(0)[1:].removeprefix(" "))
    about, fields, current = [], {}, None
    for line in header:
        named = re.match(r"([a-z]+):(?: (.*))?$", line)
        if named and named[1] in FIELDS:
            current = named[1]
            fields[current] = [named[2]] if named[2] else []
        elif current and (line.startswith("  ") or not line):
            fields[current].append(line[2:])
        elif current:
            raise Malformed(f"{path}: `{line}` is neither a field nor indented below one")
        else:
            about.append(line)
    if "exits" not in fields:
        raise Malformed(f"{path}: `exits` is missing")
    text = {key: "\n".join(value) for key, value in fields.items()}
    if ("deviates" in text) != ("rtype" in text):
        raise Malformed(f"{path}: `deviates` says why and `rtype` what rtype does instead; both or neither are needed")
    return Scenario(
        name=name,
        path=path,
        about=" ".join(about).strip(),
        manifest="\n".join(lines).strip() + "\n",
        exits=[int(word) for word in text["exits"].split()],
        setup=text.get("setup", ""),
        between=text.get("between", ""),
        flags=text.get("flags", "").split(),
        deviates=" ".join(text.get("deviates", "").split()),
        states=states(path, text.get("rtype", "")),
        ignore=[line.split()[0] for line in text.get("ignore", "").splitlines() if line.strip()],
        small=text.get("set", "").strip() == "small",
        puppet=text.get("puppet", ""),
        compiled=text.get("compiled", "").strip() == "yes",
        ruby=text.get("ruby", "").strip() == "yes",
    )


def states(path, text):
    """Reads the field `rtype`: `run N: LINE` and `PATH: FACT VALUE`, one a line. A value may be a JSON string."""
    found = States()
    for line in filter(None, map(str.strip, text.splitlines())):
        if run := re.fullmatch(r"run ([12]): ((?:exit|event|failed|skipped) .+)", line):
            found.runs.setdefault(int(run[1]), []).append(run[2])
        elif fact := re.fullmatch(r"(/.*?): (\w+) (.+)", line):
            value = json.loads(fact[3]) if fact[3].startswith('"') else fact[3]
            found.paths.setdefault(fact[1], {})[fact[2]] = value
        else:
            raise Malformed(f"{path}: `{line}` is neither `run N: …` nor `PATH: FACT VALUE`")
    missing = [number for number in (1, 2) if not any(line.startswith("exit ") for line in found.runs.get(number, []))]
    if text and missing:
        raise Malformed(f"{path}: the exit status of run {missing[0]} is missing in `rtype`")
    return found


def load(names=()):
    """All scenarios in order, or those whose name is or begins with one of the names."""
    found = [parse(str(path.relative_to(ROOT).with_suffix("")), path) for path in sorted(ROOT.glob("*/*.pp"))]
    if names:
        unknown = [name for name in names if not any(is_named(s.name, name) for s in found)]
        if unknown:
            raise Malformed(f"no scenario is called {', '.join(unknown)}")
        found = [s for s in found if any(is_named(s.name, name) for name in names)]
    return found


def is_named(scenario, name):
    return scenario == name or scenario.startswith(name.rstrip("/") + "/")
