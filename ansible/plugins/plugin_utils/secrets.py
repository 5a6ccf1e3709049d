# Copyright (c) 2026 the rtype maintainers
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Which values of a task are secret, and their removal from everything that the task returns.

Secret are the values that Ansible Vault has decrypted: inline values, all values of files that are encrypted as a whole, and what templates
compute from them.
"""

from __future__ import annotations

import base64
import contextlib
import json
import re
import typing as t

from ansible.parsing.vault import EncryptedString, VaultHelper, VaultLib
from ansible.template import is_trusted_as_template

try:
    # Where a value comes from, and which values a template reads. Both are internal: without them, everything that a template has computed
    # is secret.
    from ansible._internal._datatag._tags import Origin, VaultedValue
    from ansible._internal._templating._access import NotifiableAccessContextBase
    from ansible._internal._templating._utils import TemplateContext
except ImportError:  # pragma: nocover
    Origin = None

REDACTED = "[redacted]"
# Shorter texts are not looked for: they are in half of all messages.
SHORTEST = 4
LONG_NUMBER = 100_000
_COMMON = frozenset(("true false yes no on off none null present absent latest installed running stopped enabled disabled mounted file directory"
                     " link root localhost").split())
_MARK = b"$ANSIBLE_VAULT"
# Variables that are not values of this host, or repeat others.
_SKIPPED = frozenset(("hostvars", "groups", "vars", "omit", "_task"))
_FIELD = re.compile(r"[a-z_]+\Z")
_TEMPLATE = re.compile(r"\{\{.*?\}\}|\{%.*?%\}|\{#.*?#\}", re.DOTALL)
_LOOKUP = re.compile(r"\b(?:lookup|query|q)\s*\(")


def is_common(value: t.Any) -> bool:
    """Returns whether a value is too common to be a secret."""
    if value is None or isinstance(value, bool):
        return True
    if isinstance(value, (int, float)):
        return abs(value) < LONG_NUMBER
    text = str(value).strip()
    return len(text) < 2 or text.lower() in _COMMON or (text.isdecimal() and len(text) < 6)


class Files:
    """Knows which files of the controller are encrypted."""

    def __init__(self) -> None:
        self._known: dict[str, bool] = {}

    def is_encrypted(self, path: str) -> bool:
        if path not in self._known:
            try:
                with open(path, "rb") as file:
                    self._known[path] = file.read(len(_MARK)) == _MARK
            except OSError:
                # Ansible has read it before; it may have been encrypted.
                self._known[path] = True
        return self._known[path]


class Secrets:
    """The secrets of one task."""

    def __init__(self) -> None:
        self.texts: set[str] = set()
        self._files = Files()
        self._has_any = False
        self._is_tracked = False
        # Locations of templates that have read a secret. `None` is a template whose location is unknown.
        self._derived: set[t.Any] = set()
        self._pattern: re.Pattern[str] | None = None

    def add(self, value: t.Any) -> None:
        """Adds a text to look for."""
        self._has_any = True
        text = value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)
        if len(text.strip()) >= SHORTEST and not is_common(text):
            self.texts.add(text)
            self._pattern = None

    def is_vaulted(self, value: t.Any) -> bool:
        """Returns whether a value comes from Ansible Vault as it is."""
        if VaultHelper.get_ciphertext(value, with_tags=False) is not None:
            return True
        return not is_common(value) and self._is_of_encrypted_file(value)

    def is_secret(self, value: t.Any) -> bool:
        """Returns whether a value that Ansible has computed for an option is secret."""
        if self.is_vaulted(value):
            return True
        return not is_common(value) and self._is_derived(value)

    def _is_of_encrypted_file(self, value: t.Any) -> bool:
        origin = Origin.get_tag(value) if Origin else None
        return origin is not None and origin.path is not None and self._files.is_encrypted(origin.path)

    def _is_derived(self, value: t.Any) -> bool:
        # What is written in a file may be a template; what a template has computed is not.
        if is_trusted_as_template(value):
            return False
        if not Origin or not self._is_tracked:
            return self._has_any
        origin = Origin.get_tag(value)
        return origin in self._derived or (bool(self._derived) and (origin is None or None in self._derived))

    def is_encrypted(self, path: str) -> bool:
        """Returns whether a file of the controller is encrypted."""
        return self._files.is_encrypted(path)

    def listed(self) -> bytes:
        """Returns the texts as a line for `rtype apply --redact`; nothing if there are none."""
        return json.dumps(sorted(self.texts)).encode() + b"\n" if self.texts else b""

    def collect(self, variables: dict[str, t.Any], template: t.Callable[[t.Any], t.Any]) -> None:
        """Adds the secrets in the variables of a task."""
        for name, value in variables.items():
            if name not in _SKIPPED:
                self._walk(value, template, set())

    def _walk(self, value: t.Any, template: t.Callable[[t.Any], t.Any] | None, above: set[int]) -> None:
        if isinstance(value, (dict, list, tuple, set, frozenset)):
            if id(value) not in above:
                for member in value.values() if isinstance(value, dict) else value:
                    self._walk(member, template, above | {id(value)})
        elif isinstance(value, EncryptedString):
            with contextlib.suppress(Exception):  # Ansible cannot read it either.
                self.add(str(value))
        elif isinstance(value, (str, int, float)) and self.is_vaulted(value):
            if template is not None and isinstance(value, str) and "{" in value and is_trusted_as_template(value) and _TEMPLATE.search(value):
                self._add_template(value, template)
            else:
                self.add(value)

    def _add_template(self, value: str, template: t.Callable[[t.Any], t.Any]) -> None:
        for part in _TEMPLATE.split(value):
            self.add(part)
        # Lookups may have effects. If the task uses the value, they are known from that.
        if not _LOOKUP.search(value):
            with contextlib.suppress(Exception):
                self.add_all(template(value))

    def add_all(self, value: t.Any) -> None:
        """Adds all texts in a value."""
        if isinstance(value, dict):
            value = list(value.values())
        if isinstance(value, (list, tuple)):
            for member in value:
                self.add_all(member)
        elif not is_common(value):
            self.add(value)

    @contextlib.contextmanager
    def tracking(self) -> t.Iterator[None]:
        """Notes which templates read secrets, while the options of a task are computed."""
        if not Origin:
            yield
            return
        original = VaultLib.decrypt

        def decrypt(vault: VaultLib, *arguments: t.Any, **keywords: t.Any) -> t.Any:
            plain = original(vault, *arguments, **keywords)
            self._read(plain)
            return plain

        VaultLib.decrypt = decrypt
        try:
            with _Reads(self):
                self._is_tracked = True
                yield
        finally:
            VaultLib.decrypt = original

    def _read(self, value: t.Any) -> None:
        """Notes a secret that a template reads."""
        self.add(value)
        context = TemplateContext.current(optional=True)
        while context is not None:
            if isinstance(context.template_value, str):
                self._derived.add(Origin.get_tag(context.template_value))
            context = context._parent_ctx

    def scrub(self, value: t.Any) -> t.Any:
        """Returns a value without secrets. Names of fields stay."""
        if isinstance(value, dict):
            return {self._key(key): self.scrub(member) for key, member in value.items()}
        if isinstance(value, (list, tuple)):
            return [self.scrub(member) for member in value]
        if isinstance(value, str):
            pattern = self._compiled()
            return pattern.sub(REDACTED, value) if pattern else value
        if isinstance(value, (int, float)) and not isinstance(value, bool) and str(value) in self.texts:
            return REDACTED
        return value

    def _key(self, key: t.Any) -> t.Any:
        return key if not isinstance(key, str) or _FIELD.match(key) else self.scrub(key)

    def _compiled(self) -> re.Pattern[str] | None:
        if self._pattern is None and self.texts:
            forms = {form for text in self.texts for form in _forms(text)}
            self._pattern = re.compile("|".join(re.escape(form) for form in sorted(forms, key=len, reverse=True)))
        return self._pattern

    def clean(self, error: BaseException) -> str | None:
        """Returns the message of an error without secrets, or `None` if it has none."""
        texts, seen = [], set()
        cause: BaseException | None = error
        while cause is not None and id(cause) not in seen:
            seen.add(id(cause))
            texts.append(str(cause))
            cause = cause.__cause__ or cause.__context__
        return self.scrub(texts[0]) if any(self.scrub(text) != text for text in texts) else None


def _forms(text: str) -> t.Iterator[str]:
    """Returns the forms in which messages may contain a text."""
    lines = [line.strip() for line in text.splitlines()]
    for part in {text, text.strip(), *(line for line in lines if len(line) >= SHORTEST and not is_common(line))}:
        yield part
        yield json.dumps(part)[1:-1]
        yield json.dumps(part, ensure_ascii=False)[1:-1]
        yield repr(part)[1:-1]
        yield part.replace("'", "'\"'\"'")
        for before, letters in ((0, 0), (1, 2), (2, 3)):
            padded = b"\0" * before + part.encode("utf-8", "replace")
            encoded = base64.b64encode(padded).decode().rstrip("=")
            inner = encoded[letters:len(encoded) - (1 if len(padded) % 3 else 0)]
            if len(inner) >= SHORTEST:
                yield inner


if Origin:

    class _Reads(NotifiableAccessContextBase):
        """Notes which values templates read; Ansible calls it."""

        _type_interest = frozenset((EncryptedString, VaultedValue, Origin))

        def __init__(self, secrets: Secrets) -> None:
            self._secrets = secrets

        def _notify(self, o: t.Any) -> None:
            if isinstance(o, EncryptedString):
                with contextlib.suppress(Exception):  # The template reports it.
                    self._secrets._read(str(o))
            elif isinstance(o, (str, int, float)) and self._secrets.is_vaulted(o):
                self._secrets._read(o)
