# Copyright (c) 2026 the rtype maintainers
# SPDX-License-Identifier: MIT OR Apache-2.0
"""The words that a host evaluates, and what it prints."""
from __future__ import annotations

import json
import subprocess

import pytest

from ansible_collections.rtype.core.plugins.plugin_utils import remote

VALUES = ["", "a b", "it's", "$(id) `id` $HOME ~", "two\nlines\n", "\n", "~/x", "*"]


def evaluated(script: str) -> list[str]:
    script = "l=$(printf '\\nx'); l=${l%x}; IFS= read -r v; " + script + "; printf '%s\\0' \"$@\""
    words = " ".join(remote._quoted(value) for value in VALUES)
    assert "\n" not in words
    done = subprocess.run(["sh", "-c", script], input=words + "\n", check=True, capture_output=True, text=True)
    return done.stdout.split("\0")[:-1]


def test_values_arrive_as_they_are() -> None:
    assert evaluated("eval \"set -- $v\"") == VALUES
    variables = {f"V{number}": value for number, value in enumerate(VALUES)}
    assert remote.environment_line(variables).count(b"\n") == 1


@pytest.mark.parametrize(("path", "word"), [
    ("~/a b", "\"$HOME\"'/a b'"), ("~", "\"$HOME\"''"), ("$HOME/x", "\"$HOME\"/x"), ("${HOME}/x", "\"$HOME\"/x"), ("/a/$HOME", "'/a/$HOME'"), ("a~b", "'a~b'"),
])
def test_paths_are_expanded_on_the_host(path: str, word: str) -> None:
    assert remote.host_path("dest", path) == word


@pytest.mark.parametrize("path", ["~ada/x", "$HOMES/x", "$OTHER/x", "$(id)"])
def test_other_expansions_are_refused(path: str) -> None:
    with pytest.raises(ValueError, match="`dest` is a path on the host"):
        remote.host_path("dest", path)


def test_heartbeats_may_be_anywhere() -> None:
    report = {"kind": "log", "resources": [1.5, True, None, "Straße \n \u2028 {"]}
    for text, read in ((json.dumps(report, ensure_ascii=False), lambda text: remote.lines(text)[0][0]), (json.dumps(report, indent=2), remote.document)):
        data = f"Welcome {{!\n{text}\n".encode()
        for at in range(len(data)):
            interrupted = data[:at] + remote.HEARTBEAT.encode() + data[at:]
            assert read(remote.without_heartbeat(interrupted.decode(errors="surrogateescape"))) == report


def test_damaged_lines_are_counted() -> None:
    assert remote.lines('{ greeting }\n{"kind": "log"}\n{"kind": "eve\n') == ([{"kind": "log"}], 1)
