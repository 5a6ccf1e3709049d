# Copyright (c) 2026 the rtype maintainers
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Which values are secret, and how they are removed."""
from __future__ import annotations

import base64
import json
import pathlib
import typing as t

import pytest
from ansible._internal._datatag._tags import Origin, VaultedValue
from ansible.template import trust_as_template

from ansible_collections.rtype.core.plugins.plugin_utils import inputs, secrets
from ansible_collections.rtype.core.plugins.plugin_utils.secrets import Secrets

SECRET = "hunter22"


def vaulted(value: str) -> t.Any:
    return VaultedValue(ciphertext="$ANSIBLE_VAULT;1.1;AES256\n00").tag(value)


def of_file(value: t.Any, path: pathlib.Path, text: str = "$ANSIBLE_VAULT;1.1;AES256\n00") -> t.Any:
    if not path.exists():
        path.write_text(text)
    return Origin(path=str(path), line_num=1, col_num=1).tag(value)


def collected(**variables: t.Any) -> Secrets:
    found = Secrets()
    found.collect(variables, lambda value: str(value).replace("{{ x }}", "computed"))
    return found


def test_values_of_an_encrypted_file_are_secret(tmp_path: pathlib.Path) -> None:
    encrypted, plain = tmp_path / "encrypted", tmp_path / "plain"
    variables = {"a": of_file(SECRET, encrypted), "b": {"c": [of_file("nested", encrypted)]}, "d": of_file("visible", plain, "d: visible\n"),
                 "e": vaulted("inline"), "f": of_file(22, encrypted), "g": of_file(4711000, encrypted), "h": of_file("present", encrypted)}
    assert collected(**variables).texts == {SECRET, "nested", "inline", "4711000"}


def test_a_file_that_cannot_be_read_may_have_been_encrypted(tmp_path: pathlib.Path) -> None:
    gone = Origin(path=str(tmp_path / "gone"), line_num=1).tag(SECRET)
    assert collected(a=gone).texts == {SECRET}


def test_templates_of_an_encrypted_file_are_computed(tmp_path: pathlib.Path) -> None:
    value = of_file(trust_as_template("{{ x }}-part"), tmp_path / "encrypted")
    assert {"computed-part", "-part"} <= collected(a=value).texts


def test_other_hosts_are_not_looked_at(tmp_path: pathlib.Path) -> None:
    assert not collected(hostvars={"a": of_file(SECRET, tmp_path / "encrypted")}).texts


def test_common_values_are_not_secret() -> None:
    assert all(secrets.is_common(value) for value in (None, True, 0, 22, -1, 99_999, "", "x", "22", "yes", "True", "present", " root "))
    assert not any(secrets.is_common(value) for value in (100_000, "100000", "ab", "geheim", SECRET))


def test_common_values_are_secret_if_they_are_encrypted_inline() -> None:
    found = Secrets()
    assert found.is_secret(vaulted("yes"))
    found.add(vaulted("yes"))
    assert not found.texts


def test_all_forms_are_scrubbed() -> None:
    found = Secrets()
    text = "it's \"se\\cret\"\nsecond-line\nß"
    found.add(text)
    forms = [text, "second-line", json.dumps(text), json.dumps(text, ensure_ascii=False), repr(text), "it's \"se\\cret\"", "'it'\"'\"'s \"se\\cret\"'"]
    forms += [base64.b64encode(b"x" * n + text.encode()).decode() for n in range(3)]
    for form in forms:
        scrubbed = found.scrub(f"a {form} b")
        assert secrets.REDACTED in scrubbed and "cret" not in scrubbed and "second" not in scrubbed
        assert len(form) < 20 or form[8:-8] not in scrubbed
    value = {"msg": text, "list": [{"a": text, "n": 1, "ok": True}], text: "key"}
    assert found.scrub(value) == {"msg": "[redacted]", "list": [{"a": "[redacted]", "n": 1, "ok": True}], "[redacted]": "key"}


def test_names_of_fields_stay() -> None:
    found = Secrets()
    found.add("status")
    assert found.scrub({"status": "status"}) == {"status": "[redacted]"}


def test_errors_are_cleaned_with_their_causes() -> None:
    found = Secrets()
    found.add(SECRET)
    try:
        try:
            raise ValueError(f"bad {SECRET}")
        except ValueError as cause:
            raise RuntimeError("failed") from cause
    except RuntimeError as error:
        assert found.clean(error) == "failed"
    assert found.clean(RuntimeError(f"of {SECRET}")) == "of [redacted]"
    assert found.clean(RuntimeError("other")) is None


@pytest.mark.parametrize("resources", [
    {"file": {"/a": {"content": vaulted(SECRET), "mode": "0644"}}},
    [{"type": "file", "title": "/a", "parameters": {"content": vaulted(SECRET), "mode": "0644"}}],
    {"resources": [{"type": "file", "title": "/a", "parameters": {"content": vaulted(SECRET), "mode": "0644"}}]},
])
def test_attributes_are_marked(resources: t.Any) -> None:
    text = inputs.resources(resources, Secrets()).decode()
    assert "".join(text.split()).count('"content":{"__ptype":"Sensitive","__pvalue":"hunter22"}') == 1
    assert '"mode": "0644"' in text


def test_titles_are_not_marked_but_redacted() -> None:
    found = Secrets()
    text = inputs.resources([{"type": "file", "title": vaulted(SECRET), "parameters": {}}], found).decode()
    assert f'"title": "{SECRET}"' in text
    assert json.loads(found.listed()) == [SECRET]


def test_without_tracking_everything_computed_is_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    found = collected(a=vaulted(SECRET))
    assert found.is_secret("computed") and not found.is_secret(trust_as_template("literal"))
    monkeypatch.setattr(secrets, "Origin", None)
    with found.tracking():
        pass
    assert found.is_secret("computed") and not found.is_secret(trust_as_template("literal"))
    assert not Secrets().is_secret("computed")
