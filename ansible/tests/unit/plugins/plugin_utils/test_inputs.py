# Copyright (c) 2026 the rtype maintainers
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Resources of a task, as rtype gets them."""
from __future__ import annotations

import io
import json
import os
import pathlib
import tarfile
import typing as t

import pytest
from ansible.errors import AnsibleError

from ansible_collections.rtype.core.plugins.plugin_utils import inputs
from ansible_collections.rtype.core.plugins.plugin_utils.secrets import Secrets

MARKED = {"__ptype": "Sensitive", "__pvalue": "hunter22"}


def sent(resources: t.Any) -> t.Any:
    return json.loads(inputs.resources(resources, Secrets()))


def notify(value: t.Any) -> t.Any:
    return sent({"notify": {"a": {"message": value}}})["notify"]["a"]["message"]


def test_unknown_options_suggest_similar_names() -> None:
    known = ["state_dir", "strict", "types"]
    inputs.refuse_unknown(["types"], known)
    for name, message in (("state_dirr", "did you mean `state_dir`?"), ("x", "the options are state_dir, strict, types")):
        with pytest.raises(AnsibleError, match=f"unknown option `{name}`; ") as found:
            inputs.refuse_unknown([name], known)
        assert str(found.value).endswith(message)


def test_secrets_are_marked_once() -> None:
    assert inputs.plain({"a": inputs.sensitive(inputs.sensitive("x"))}) == {"a": {"__ptype": "Sensitive", "__pvalue": "x"}}
    assert notify({"__ptype": "Sensitive", "__pvalue": {"a": MARKED}}) == {"a": MARKED}


def test_members_of_marked_values_are_marked() -> None:
    assert sent([{"type": "notify", "title": "a", "parameters": inputs.sensitive({"message": "hunter22"})}])[0]["parameters"] == {"message": MARKED}
    everything = [{"type": "notify", "title": "a-title", "parameters": {"message": "hunter22"}}]
    secrets = Secrets()
    text = inputs.resources(inputs.sensitive(everything), secrets)
    assert json.loads(text) == [{"type": "notify", "title": "a-title", "parameters": {"message": MARKED}}]
    assert secrets.texts == {"a-title"}


@pytest.mark.parametrize("text", [f"pw={MARKED}", json.dumps({"a": MARKED}), f"{MARKED}"])
def test_marks_within_text_are_refused_without_the_secret(text: str) -> None:
    for declared in ({"notify": {"a": {"message": text}}}, {"notify": {"a": {"message": {"b": [text]}}}}, [{"type": "notify", "title": text}]):
        with pytest.raises(AnsibleError, match="rtype.core.sensitive") as error:
            sent(declared)
        assert "hunter22" not in str(error.value)
    with pytest.raises(AnsibleError, match="`environment.A` cannot be marked"):
        inputs.refuse_marks("environment", {"A": text})


def test_content_is_marked_as_a_whole() -> None:
    assert inputs.content(inputs.sensitive("text"), "ignored") == ("text", True)
    assert inputs.content("text", "text") == ("text", False)
    catalog = json.dumps({"notify": {"a": {"message": MARKED}}})
    assert inputs.content(catalog, catalog) == (catalog, False)
    with pytest.raises(AnsibleError, match="within the text of `content`"):
        inputs.content(f"pw={MARKED}", f"pw={MARKED}")


@pytest.mark.parametrize("declared", [
    {"file": {"/srv/{{ name }}": {}}},
    {"file": {"/srv/a": {"{{ name }}": "x"}}},
    [{"type": "file", "title": "/srv/a", "parameters": {"{% if a %}": "x"}}],
    {"resources": [{"type": "file", "title": "/srv/a", "parameters": {"{{ name }}": "x"}}]},
])
def test_templates_in_keys_are_refused(declared: t.Any) -> None:
    with pytest.raises(AnsibleError, match="does not evaluate the template in the key"):
        sent(declared)


def test_values_keep_their_types() -> None:
    assert notify(b"\xff\x00") == {"__ptype": "Binary", "__pvalue": "/wA="}
    assert notify(inputs.sensitive(b"\xff\x00")) == {"__ptype": "Sensitive", "__pvalue": {"__ptype": "Binary", "__pvalue": "/wA="}}
    assert [notify(value) for value in (2**63 - 1, -(2**63), 1.5, True, None)] == [2**63 - 1, -(2**63), 1.5, True, None]
    for value in (2**63, -(2**63) - 1, 10**30):
        with pytest.raises(AnsibleError, match="more than 64 bits"):
            notify(value)


def test_no_resources_are_no_error() -> None:
    assert (sent([]), sent({})) == ([], {})


def directory_of_types(where: pathlib.Path) -> pathlib.Path:
    types = where / "types"
    (types / "below").mkdir(parents=True)
    (types / "door.rtype").write_text("type door {}")
    (types / "below" / "lamp.rtype").write_text("type lamp {}")
    return types


def test_directories_may_be_named_in_any_way(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    types = directory_of_types(tmp_path)
    (tmp_path / "link").symlink_to("types")
    (tmp_path / "chain").symlink_to(tmp_path / "link")
    monkeypatch.chdir(tmp_path)
    expected = inputs.bundle([str(types)], [])
    for name in ("types", "./types/", "types/below/..", "link", "link/", "chain", "link/below/..", f"{tmp_path}/types/../types"):
        assert inputs.bundle([name], []) == expected, name


def test_links_within_a_directory_lead_to_its_copy(tmp_path: pathlib.Path) -> None:
    types = directory_of_types(tmp_path)
    for name, target in (("a", "door.rtype"), ("b", str(types / "door.rtype")), ("below/c", "../door.rtype"), ("d", "../types/below")):
        (types / name).symlink_to(target)
    copy = tmp_path / "copy"
    with tarfile.open(fileobj=io.BytesIO(inputs.bundle([str(types)], []))) as archive:
        archive.extractall(copy)
    for name in ("a", "b", "below/c", "d/lamp.rtype"):
        real = os.path.realpath(copy / "types" / "0" / name)
        assert real.startswith(os.path.realpath(copy)) and os.path.isfile(real), name


@pytest.mark.parametrize("target", ["/etc/passwd", "../outside", "..", "below/../../outside"])
def test_links_out_of_a_directory_are_refused(tmp_path: pathlib.Path, target: str) -> None:
    types = directory_of_types(tmp_path)
    (tmp_path / "outside").write_text("")
    (types / "link").symlink_to(target)
    with pytest.raises(AnsibleError, match="is a link that leads out of"):
        inputs.bundle([str(types)], [])


def test_a_directory_that_is_a_file_is_refused(tmp_path: pathlib.Path) -> None:
    (tmp_path / "file").write_text("")
    for name in (tmp_path / "file", tmp_path / "none"):
        with pytest.raises(AnsibleError, match="is not a directory"):
            inputs.bundle([str(name)], [])
