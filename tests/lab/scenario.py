"""Scenarios: a manifest for both programs, and above it in comments what is to be known of it."""

import pathlib
import re
from dataclasses import dataclass, field

ROOT = pathlib.Path(__file__).resolve().parent / "scenarios"
FIELDS = ("setup", "between", "flags", "exits", "deviates", "ignore", "set", "puppet")


class Malformed(Exception):
    """A scenario that cannot be understood."""


@dataclass
class Scenario:
    """One scenario; README.md tells what the fields mean."""

    name: str
    path: pathlib.Path
    about: str
    manifest: str
    exits: list[int]
    setup: str = ""
    between: str = ""
    flags: list[str] = field(default_factory=list)
    deviates: str = ""
    ignore: list[str] = field(default_factory=list)
    small: bool = False
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
        ignore=[line.split()[0] for line in text.get("ignore", "").splitlines() if line.strip()],
        small=text.get("set", "").strip() == "small",
        puppet=text.get("puppet", ""),
    )


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
