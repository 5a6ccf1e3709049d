# Copyright (c) 2026 the rtype maintainers
# SPDX-License-Identifier: MIT OR Apache-2.0
"""The shell commands that run on a host. They need a POSIX shell, and no Python.

A command receives everything that may be secret on standard input. The first line holds environment variables, the second one the
values of options. Ansible shows what a command prints with `-vvv`: no command prints a value of an option. Messages for the controller
are lines that start with `rtype-host: `.
"""

from __future__ import annotations

import dataclasses
import json
import shlex

MISSING = 110
REFUSED = 111
MARK = "rtype-host: "

# Reads the environment, and defines what all commands use. Each statement ends with `;` or a keyword: the lines are joined, because the login
# shell of a user may be one whose strings end with the line.
_PRELUDE = r"""
umask 077;
say() { printf '\nrtype-host: %s\n' "$*"; };
refuse() { say "$@"; cat >/dev/null; exit 111; };
IFS= read -r e;
IFS= read -r v;
[ -z "$e" ] || eval "export $e";
eval "$v";
[ "$(uname -s)" = Linux ] || refuse system "$(uname -s)";
a=$(uname -m);
case $a in amd64) a=x86_64;; arm64) a=aarch64;; esac;
u=$(id -u);
g=$(id -g);
if command -v sha256sum >/dev/null 2>&1; then sum() { sha256sum <"$1" 2>/dev/null; };
elif command -v openssl >/dev/null 2>&1; then sum() { openssl dgst -sha256 -r <"$1" 2>/dev/null; };
else refuse checksum; fi;
is() { [ -f "$1" ] && [ ! -L "$1" ] && x=$(sum "$1") && [ "${x%% *}" = "$2" ]; };
"""

# Enters the cache directory. It, and every directory above it, must belong to root or to this user, and others must not be able to replace
# what is in it. `$p` is its real path.
_CACHE = r"""
n=;
if [ -n "$c" ]; then n=-; elif [ "$u" = 0 ]; then c=/var/cache/rtype; else c=$HOME/.cache/rtype; fi;
n=${n:-$c};
mkdir -p "$c" 2>/dev/null;
cd -P "$c" 2>/dev/null && [ -O . ] || refuse cache "$n";
p=$(pwd -P);
d=$p;
while :; do
set -- $(ls -ldn "${d:-/}");
case $3 in 0|$u) ;; *) refuse cache "$n";; esac;
case $1 in
d????????[tT]*) [ "$d" != "$p" ] || refuse cache "$n";;
d???????w*) refuse cache "$n";;
d????w*) [ "$4" = 0 ] || [ "$4" = "$g" ] || refuse cache "$n";;
esac;
[ -n "$d" ] || break;
d=${d%/*};
done;
"""

# Checks that the program and the bundle are in the cache, as they were sent.
_NEED = r"""
m=;
case $a in
BINARIES
*) refuse architecture "$a";;
esac;
is "rtype-$h" "$h" || m="binary $a";
[ -z "$b" ] || is "bundle-$b" "$b" || m="$m bundle";
[ -z "$m" ] || { say missing $m; cat >/dev/null; exit 110; };
r=$p/rtype-$h;
"""

# A private directory for the run, if it needs files; runs that were killed have left theirs.
_FILES = r"""
for d in run-*; do [ -d "$d" ] || continue; i=${d#run-}; [ -d "/proc/${i%%.*}" ] || rm -rf "./$d"; done;
t=$p/$(mktemp -d "run-$$.XXXXXX" 2>/dev/null) || refuse space "$n";
trap 'cd / && rm -rf "$t"' EXIT;
cd "$t" 2>/dev/null && mkdir bundle site || refuse space "$n";
[ -z "$b" ] || tar -xof "../bundle-$b" -C bundle || refuse unpack;
[ "$o" != directory ] || tar -xof - -C site || refuse unpack;
"""

# Looks whether the program runs at all. The shell's own message would contain its path.
_TRY = r"""
"$r" --version >/dev/null 2>&1 </dev/null || refuse execution $?;
"""

# Runs the program until it ends, the time is over, or its output is not read any more. A first signal lets the program finish the current
# resource, a second one ends the programs that it has started.
_RUN = r"""
exec 3<&0;
cd /;
eval "set -- $y";
"$r" "$@" <&3 3<&- &
r=$!;
exec 3<&- </dev/null;
end() { kill -TERM $r; sleep 10; kill -TERM $r; sleep 5; kill -KILL $r; };
(
trap '' PIPE;
n=0;
while sleep 1 >/dev/null; do
n=$((n+1));
if [ $n -ge LIMIT ]; then say timeout; end >/dev/null;
elif ! printf '\n'; then end >/dev/null; fi;
done;
) 2>/dev/null &
w=$!;
trap 'kill -TERM $r 2>/dev/null' HUP INT TERM;
wait $r;
x=$?;
while kill -0 $r 2>/dev/null; do wait $r; x=$?; done;
kill $w 2>/dev/null;
exit $x
"""

_STORE = r"""
f=$(mktemp ./part.XXXXXX) || refuse space "$n";
cat >"$f" || { rm -f "$f"; refuse space "$n"; };
is "$f" "$h" || { rm -f "$f"; refuse corrupt; };
chmod "$o" "$f" && mv -f "$f" "$k-$h" || refuse space "$n";
ls -t | grep "^$k-" | tail -n +5 | while read -r d; do rm -f "./$d"; done;
exit 0
"""

_PLACE = r"""
[ -d "${k%/*}" ] || refuse directory -;
case $a in
BINARIES
*) refuse architecture "$a";;
esac;
if is "$k" "$h"; then say same; cat >/dev/null; exit 0; fi;
[ -z "$b" ] || { say different "$a"; cat >/dev/null; exit 0; };
f=$(mktemp "$k.XXXXXX" 2>/dev/null) || refuse space -;
{ cat >"$f" && is "$f" "$h" && chmod 755 "$f" && mv -f "$f" "$k"; } 2>/dev/null || { rm -f "$f"; refuse space -; };
exit 0
"""


@dataclasses.dataclass(frozen=True)
class Host:
    """What a command needs to know about the cache and the program of a host."""

    cache: str | None
    digests: dict[str, str]
    bundle: str | None = None
    executable: str | None = None


@dataclasses.dataclass(frozen=True)
class Command:
    """A command. Its text is visible in the list of processes and with `-vvv`; the values of options are on standard input."""

    text: str
    words: bytes


def _command(script: str, **values: str | None) -> Command:
    for value in values.values():
        if value and "\n" in value:
            raise ValueError("an option has a value of several lines")
    words = " ".join(f"{name}={shlex.quote(value or '')}" for name, value in values.items())
    return Command(" ".join(line for line in script.splitlines() if line), (words + "\n").encode())


def _binaries(digests: dict[str, str]) -> str:
    return "\n".join(f"{shlex.quote(name)}) h={digest};;" for name, digest in sorted(digests.items()))


def environment_line(variables: dict[str, object]) -> bytes:
    """Returns the first line of the input of a command."""
    for name, value in variables.items():
        if not name.replace("_", "a").isalnum() or name[:1].isdigit():
            raise ValueError(f"invalid name of an environment variable: {name!r}")
        if "\n" in str(value):
            raise ValueError(f"the environment variable {name} has a value of several lines")
    return (" ".join(f"{name}={shlex.quote(str(value))}" for name, value in variables.items()) + "\n").encode()


def run(host: Host, arguments: list[str], limit: int, layout: str) -> Command:
    """Returns the command that runs rtype.

    `$t` in an argument is the directory of the run. `layout` is `none` or `text` if the program reads standard input, and `directory` if
    standard input is an archive of files.
    """
    script = _PRELUDE
    needs_files = host.bundle is not None or layout == "directory"
    if host.executable is None:
        script += _CACHE + _NEED.replace("BINARIES", _binaries(host.digests))
    else:
        script += (_CACHE + _NEED_BUNDLE if needs_files else "") + _EXECUTABLE
    script += _TRY
    if needs_files:
        script += _FILES
    words = " ".join(f'"$t"{shlex.quote(a[2:])}' if a.startswith("$t") else '"$t"/site/*' if a == "*" else shlex.quote(a) for a in arguments)
    return _command(script + _RUN.replace("LIMIT", str(limit)), c=host.cache, b=host.bundle, o=layout, q=host.executable, y=words)


_NEED_BUNDLE = r"""
[ -z "$b" ] || is "bundle-$b" "$b" || { say missing bundle; cat >/dev/null; exit 110; };
"""

_EXECUTABLE = r"""
r=$(command -v "$q") || refuse executable -;
"""


def store(host: Host, kind: str, digest: str) -> Command:
    """Returns the command that puts standard input into the cache, if it has this digest."""
    mode = "500" if kind == "rtype" else "400"
    return _command(_PRELUDE + _CACHE + _STORE, c=host.cache, h=digest, k=kind, o=mode)


def place(digests: dict[str, str], path: str, only_look: bool) -> Command:
    """Returns the command that installs standard input as the program at a path, or that only says whether it would."""
    return _command(_PRELUDE + _PLACE.replace("BINARIES", _binaries(digests)), k=path, b="look" if only_look else "")


def message(stdout: str) -> list[str] | None:
    """Returns the words of the last message of a command to the controller."""
    found = [line[len(MARK):].split() for line in stdout.splitlines() if line.startswith(MARK)]
    return found[-1] if found else None


def lines(stdout: str) -> list[dict]:
    """Returns the JSON lines that rtype has printed. Other text, such as a greeting of the login shell, is ignored."""
    found = []
    for line in stdout.splitlines():
        if line.startswith("{"):
            try:
                value = json.loads(line)
            except ValueError:
                continue
            if isinstance(value, dict) and "kind" in value:
                found.append(value)
    return found


def document(stdout: str) -> dict | None:
    """Returns the JSON document that rtype has printed over several lines."""
    text = "\n".join(line for line in stdout.splitlines() if not line.startswith(MARK))
    decoder = json.JSONDecoder()
    at = text.find("\n{") + 1 if not text.startswith("{") else 0
    while at >= 0 and at < len(text):
        try:
            value, _end = decoder.raw_decode(text, at)
            return value if isinstance(value, dict) else None
        except ValueError:
            following = text.find("\n{", at)
            at = following + 1 if following >= 0 else -1
    return None
