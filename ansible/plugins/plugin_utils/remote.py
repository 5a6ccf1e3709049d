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
import re
import shlex

# The file with the texts to redact. Patterns of the shell do not match it.
TEXTS = ".texts"
MISSING = 110
REFUSED = 111
MARK = "rtype-host: "
# What the host prints once a second, to notice that the controller is gone. It can be within what rtype prints, even within a character. JSON
# has this character (SYN) only as `\u0016`.
HEARTBEAT = "\x16"
_HOME = re.compile(r"(?:~|\$HOME|\$\{HOME\})(?=/|\Z)")

# Reads the environment, and defines what all commands use. Each statement ends with `;` or a keyword: the lines are joined, because the login
# shell of a user may be one whose strings end with the line.
_PRELUDE = r"""
say() { printf '\nrtype-host: %s\n' "$*"; };
refuse() { say "$@"; cat >/dev/null; exit 111; };
need() { command -v "$1" >/dev/null 2>&1 || refuse tool "$1"; };
l=$(printf '\nx');
l=${l%x};
IFS= read -r e;
IFS= read -r v;
[ -z "$e" ] || eval "export $e";
eval "$v";
z=$(umask);
umask 077;
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

# Enters the cache directory and makes what is missing of it. It, and every directory above it, must belong to root or to this user, and others
# must not be able to replace what is in it or own a link in its path. Each directory is checked before anything in it is used, so that others
# cannot replace it in between. Only the last one is private: others may have a use for `/var/cache`. `$p` is the real path.
_CACHE = r"""
n=;
if [ -n "$c" ]; then n=-; elif [ "$u" = 0 ]; then c=/var/cache/rtype; else c=$HOME/.cache/rtype; fi;
n=${n:-$c};
own() {
set -- $(ls -ldn "$1" 2>/dev/null);
case $3 in 0|$u) ;; *) return 1;; esac;
case $1 in
l*|d????????[tT]*) ;;
d???????w*) return 1;;
d????w*) [ "$4" = 0 ] || [ "$4" = "$g" ];;
d*) ;;
*) return 1;;
esac;
};
case $c in /*) cd /;; esac;
d=${c%/}/;
while [ -n "$d" ]; do
x=${d%%/*};
d=${d#*/};
[ -n "$x" ] || continue;
own . || refuse cache "$n";
[ -z "$d" ] || umask "$z";
[ -e "./$x" ] || [ -L "./$x" ] || mkdir "./$x" 2>/dev/null || [ -d "./$x" ] || refuse space "$n";
umask 077;
own "./$x" && cd -P "./$x" 2>/dev/null || refuse cache "$n";
done;
p=$(pwd -P);
case $(ls -ldn .) in d????????[tT]*) refuse cache "$n";; esac;
[ -O . ] || refuse cache "$n";
d=$p;
while :; do
own "${d:-/}" || refuse cache "$n";
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
need mktemp;
for d in run-*; do [ -d "$d" ] || continue; i=${d#run-}; [ -d "/proc/${i%%.*}" ] || rm -rf "./$d"; done;
t=$p/$(mktemp -d "run-$$.XXXXXX" 2>/dev/null) || refuse space "$n";
trap 'cd / && rm -rf "$t"' EXIT;
cd "$t" 2>/dev/null && mkdir bundle site || refuse space "$n";
[ -z "$b" ] || tar -xof "../bundle-$b" -C bundle || refuse unpack;
case $o in
directory) tar -xof - -C site || refuse unpack;;
site/*) IFS= read -r x; { printf '%s\n' "$x" >site/TEXTS && cat >"$o"; } 2>/dev/null || refuse space "$n";;
esac;
"""

# Looks whether the program runs at all, and is rtype. The shell's own message would contain its path.
_TRY = r"""
x=$("$r" --version 2>/dev/null </dev/null) || refuse execution $?;
case $x in "rtype "*) ;; *) refuse program;; esac;
"""

# Runs the program until it ends, the time is over, or its output is not read any more. A first signal lets the program finish the current
# resource, a second one ends the programs that it has started. rtype gets the umask of the user, on which the permissions of files depend.
_RUN = r"""
exec 3<&0;
cd /;
umask "$z";
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
elif ! printf '\026'; then end >/dev/null; fi;
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
need mktemp;
f=$(mktemp ./part.XXXXXX) || refuse space "$n";
cat >"$f" || { rm -f "$f"; refuse space "$n"; };
is "$f" "$h" || { rm -f "$f"; refuse corrupt; };
chmod "$o" "$f" && mv -f "$f" "$k-$h" || refuse space "$n";
ls -t | grep "^$k-" | tail -n +5 | while read -r d; do rm -f "./$d"; done;
exit 0
"""

_PLACE = r"""
[ -d "${k%/*}/" ] || refuse directory -;
[ ! -d "$k" ] || refuse file -;
case $a in
BINARIES
*) refuse architecture "$a";;
esac;
if is "$k" "$h"; then say same; cat >/dev/null; exit 0; fi;
[ -z "$b" ] || { say different "$a"; cat >/dev/null; exit 0; };
need mktemp;
r=$(mktemp "$k.XXXXXX" 2>/dev/null) || refuse space -;
trap 'rm -f "$r"' EXIT;
{ cat >"$r" && is "$r" "$h" && chmod 755 "$r"; } 2>/dev/null || refuse space -;
TRY
mv -f "$r" "$k" 2>/dev/null || refuse space -;
exit 0
"""


class Word(str):
    """A word that the shell of the host expands."""


def host_path(option: str, path: str) -> Word:
    """Returns a path on the host. Its shell knows the home directory."""
    home = _HOME.match(path)
    if home:
        return Word('"$HOME"' + _quoted(path[home.end():]))
    if path.startswith(("~", "$")):
        raise ValueError(f"`{option}` is a path on the host, where only `~/` and `$HOME/` are expanded")
    return Word(_quoted(path))


def in_run(path: str) -> Word:
    """Returns a path in the directory of the run."""
    return Word('"$t"/' + _quoted(path))


def _quoted(text: str) -> str:
    # All values are on one line; the variable `l` of the shell is a newline.
    return text if isinstance(text, Word) else shlex.quote(text).replace("\n", "'\"$l\"'")


@dataclasses.dataclass(frozen=True)
class Host:
    """What a command needs to know about the cache and the program of a host."""

    cache: Word | None
    digests: dict[str, str]
    bundle: str | None = None
    executable: Word | None = None


@dataclasses.dataclass(frozen=True)
class Command:
    """A command. Its text is visible in the list of processes and with `-vvv`; the values of options are on standard input."""

    text: str
    words: bytes


def _command(script: str, **values: str | None) -> Command:
    words = " ".join(f"{name}={_quoted(value or '')}" for name, value in values.items())
    return Command(" ".join(line for line in script.splitlines() if line), (words + "\n").encode())


def _binaries(digests: dict[str, str]) -> str:
    return "\n".join(f"{shlex.quote(name)}) h={digest};;" for name, digest in sorted(digests.items()))


def environment_line(variables: dict[str, object]) -> bytes:
    """Returns the first line of the input of a command."""
    for name, value in variables.items():
        if not name.replace("_", "a").isalnum() or name[:1].isdigit():
            raise ValueError(f"invalid name of an environment variable: {name!r}")
    return (" ".join(f"{name}={_quoted(str(value))}" for name, value in variables.items()) + "\n").encode()


def run(host: Host, arguments: list[str], limit: int, layout: str) -> Command:
    """Returns the command that runs rtype.

    `layout` is `none` or `text` if the program reads standard input, and `directory` if standard input is an archive of files. Otherwise it is
    where in the directory of the run the file goes that standard input has after the line with the texts to redact.
    """
    script = _PRELUDE
    needs_files = host.bundle is not None or layout not in ("none", "text")
    if host.executable is None:
        script += _CACHE + _NEED.replace("BINARIES", _binaries(host.digests))
    else:
        script += (_CACHE + _NEED_BUNDLE if needs_files else "") + _EXECUTABLE
    script += _TRY
    if needs_files:
        script += _FILES.replace("TEXTS", TEXTS)
    words = " ".join(_quoted(argument) for argument in arguments)
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


def place(digests: dict[str, str], path: Word, only_look: bool) -> Command:
    """Returns the command that installs standard input as the program at a path, or that only says whether it would."""
    return _command(_PRELUDE + _PLACE.replace("TRY", _TRY).replace("BINARIES", _binaries(digests)), k=path, b="look" if only_look else "")


def without_heartbeat(stdout: str) -> str:
    """Returns what a command has printed itself."""
    return stdout.replace(HEARTBEAT, "").encode("utf-8", "surrogateescape").decode("utf-8", "surrogateescape")


def message(stdout: str) -> list[str] | None:
    """Returns the words of the last message of a command to the controller."""
    found = [line[len(MARK):].split() for line in stdout.split("\n") if line.startswith(MARK)]
    return found[-1] if found else None


def lines(stdout: str) -> tuple[list[dict], int]:
    """Returns the JSON lines that rtype has printed, and how many are damaged. Other text, such as a greeting of the login shell, is ignored."""
    found, damaged = [], 0
    # JSON may contain other characters that Python counts as ends of lines.
    for line in stdout.split("\n"):
        if line.startswith('{"'):
            try:
                value = json.loads(line)
            except ValueError:
                damaged += 1
                continue
            if "kind" in value:
                found.append(value)
    return found, damaged


def document(stdout: str) -> dict | None:
    """Returns the JSON document that rtype has printed over several lines."""
    text = "\n".join(line for line in stdout.split("\n") if not line.startswith(MARK))
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
