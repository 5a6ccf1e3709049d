# Copyright (c) 2026 the rtype maintainers
# SPDX-License-Identifier: MIT OR Apache-2.0
"""What the controller sends: the program, resources, and directories of types."""

from __future__ import annotations

import base64
import difflib
import hashlib
import io
import json
import os
import re
import tarfile
import typing as t

from ansible.errors import AnsibleError

from .remote import TEXTS
from .secrets import Secrets

# The field e_machine of an ELF file, and what `uname -m` prints.
_MACHINES = {62: "x86_64", 183: "aarch64", 243: "riscv64", 40: "armv7l", 21: "ppc64le", 22: "s390x"}
_RESOURCES = (".pp", ".json", ".yaml", ".yml")
# A marked value that a template has made part of a text.
_MARK = re.compile(r"""(["'])__ptype\1\s*:\s*["']Sensitive["']""")


def sensitive(value: t.Any) -> t.Any:
    """Returns a value as rtype reads secrets. Of lists and dictionaries, all members are secret."""
    if isinstance(value, dict) and "__ptype" not in value:
        return {key: sensitive(member) for key, member in value.items()}
    if isinstance(value, (list, tuple)):
        return [sensitive(member) for member in value]
    return value if is_marked(value) else {"__ptype": "Sensitive", "__pvalue": value}


def is_marked(value: t.Any) -> bool:
    """Returns whether the filter has marked a value as secret."""
    return isinstance(value, dict) and value.get("__ptype") == "Sensitive"


def refuse_marks(name: str, value: t.Any) -> None:
    """Raises an error if an option that cannot be secret contains a marked value."""
    if isinstance(value, dict) and not is_marked(value):
        for key, member in value.items():
            refuse_marks(f"{name}.{key}", member)
    elif isinstance(value, (list, tuple)):
        for member in value:
            refuse_marks(name, member)
    elif is_marked(value) or (isinstance(value, str) and _MARK.search(value)):
        raise AnsibleError(f"`{name}` cannot be marked by `rtype.core.sensitive`")


def plain(value: t.Any, secrets: Secrets | None = None) -> t.Any:
    """Returns a value as JSON has it. With `secrets`, those among its texts and numbers become secrets of rtype."""
    if is_marked(value):
        return sensitive(_unmarked(value))
    if isinstance(value, dict):
        return {str(key): plain(member, secrets) for key, member in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(member, secrets) for member in value]
    bare = _bare(value)
    if secrets is not None and secrets.is_secret(value):
        secrets.add(value)
        return sensitive(bare)
    return bare


def _unmarked(value: t.Any) -> t.Any:
    """Returns the value of a secret: a secret is never within another one."""
    if is_marked(value):
        return _unmarked(value.get("__pvalue"))
    if isinstance(value, dict):
        return {str(key): _unmarked(member) for key, member in value.items()}
    if isinstance(value, (list, tuple)):
        return [_unmarked(member) for member in value]
    return _bare(value)


def _bare(value: t.Any) -> t.Any:
    """Returns a value without members as JSON has it."""
    if isinstance(value, bytes):
        return {"__ptype": "Binary", "__pvalue": base64.b64encode(value).decode()}
    if value is None or isinstance(value, (bool, float)):
        return value
    if isinstance(value, int):
        if not -(2**63) <= value < 2**63:
            raise AnsibleError("an integer has more than 64 bits; write it as text, in quotes")
        return value
    text = str(value)
    if _MARK.search(text):
        raise AnsibleError("`rtype.core.sensitive` marks whole values, but is within text; write `{{ ('p=' ~ password) | rtype.core.sensitive }}`")
    return text


def content(value: t.Any, text: str) -> tuple[str, bool]:
    """Returns the text of the option `content`, and whether it is marked."""
    if is_marked(value):
        return str(_unmarked(value)), True
    # In JSON, marked values are as rtype reads them.
    if "'__ptype': 'Sensitive'" in text:
        raise AnsibleError("`rtype.core.sensitive` is within the text of `content`; apply it to the whole text")
    return text, False


def refuse_unknown(given: t.Iterable[str], known: t.Iterable[str]) -> None:
    """Refuses options that the module does not have, and suggests similar names."""
    names = sorted(known)
    for name in given:
        if name not in names:
            near = difflib.get_close_matches(name, names, 1)
            raise AnsibleError(f"unknown option `{name}`; " + (f"did you mean `{near[0]}`?" if near else f"the options are {', '.join(names)}"))


def resources(value: t.Any, secrets: Secrets) -> bytes:
    """Returns inline resources as JSON. One attribute per line, so that an error shows only its own line."""
    if not isinstance(value, (list, dict)):
        raise AnsibleError("`resources` must be a list of resources, or types with titles")
    return json.dumps(_marked(value, secrets), indent=1, allow_nan=False).encode()


def _marked(value: t.Any, secrets: Secrets) -> t.Any:
    """Returns resources with their secrets marked. Types and titles cannot be marked; rtype gets the texts to redact."""
    if isinstance(value, list):
        return [_marked(member, secrets) for member in value]
    if not isinstance(value, dict):
        return _named(value, secrets)
    if "resources" in value or ("type" in value and "title" in value):
        return {str(key): _member(str(key), member, secrets) for key, member in value.items()}
    return {str(kind): {_key(title): _attributes(attributes, secrets) for title, attributes in titles.items()} if isinstance(titles, dict)
            else plain(titles, secrets) for kind, titles in value.items()}


def _member(key: str, value: t.Any, secrets: Secrets) -> t.Any:
    if key == "parameters":
        return _attributes(value, secrets)
    if key == "type":
        return plain(_unmarked(value))
    return _marked(value, secrets) if key == "resources" else _named(value, secrets)


def _attributes(value: t.Any, secrets: Secrets) -> t.Any:
    if not isinstance(value, dict) or is_marked(value):
        return plain(value, secrets)
    return {_key(name): plain(member, secrets) for name, member in value.items()}


def _key(key: t.Any) -> str:
    """Returns a title or the name of an attribute that is a key."""
    text = str(key)
    if "{{" in text or "{%" in text:
        raise AnsibleError(f"Ansible does not evaluate the template in the key `{text}`; write a list of resources with `title: ...` instead,"
                           " or compute all of `parameters`")
    return text


def _named(value: t.Any, secrets: Secrets) -> t.Any:
    """Returns a value that cannot be marked. What of it is secret is added to the secrets."""
    if is_marked(value):
        secrets.add_all(_unmarked(value))
        return _unmarked(value)
    if isinstance(value, dict):
        return {str(key): _named(member, secrets) for key, member in value.items()}
    if isinstance(value, (list, tuple)):
        return [_named(member, secrets) for member in value]
    if secrets.is_secret(value):
        secrets.add(value)
    return plain(value)


def architecture(path: str) -> str:
    """Returns the architecture of a program, as `uname -m` prints it."""
    with open(path, "rb") as program:
        head = program.read(20)
    if head[:4] != b"\x7fELF" or len(head) < 20:
        raise AnsibleError(f"`{path}` is not a program for Linux")
    number = int.from_bytes(head[18:20], "little" if head[5] == 1 else "big")
    if number not in _MACHINES:
        raise AnsibleError(f"`{path}` is a program for an unknown architecture (ELF machine {number})")
    return _MACHINES[number]


def digest(path: str) -> str:
    """Returns the SHA-256 of a file."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def binaries(paths: list[str]) -> dict[str, str]:
    """Returns the programs by architecture."""
    found: dict[str, str] = {}
    for path in paths:
        name = architecture(path)
        if name in found:
            raise AnsibleError(f"two programs for {name}: `{found[name]}` and `{path}`")
        found[name] = path
    return found


def bundle(types: list[str], modulepath: list[str]) -> bytes:
    """Returns an archive of directories of types and modules. The same files give the same archive."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.GNU_FORMAT) as archive:
        for kind, directories in (("types", types), ("modules", modulepath)):
            for number, directory in enumerate(directories):
                _add(archive, directory, f"{kind}/{number}")
    return out.getvalue()


def site(files: list[tuple[str, bytes]], texts: bytes) -> bytes:
    """Returns an archive of resource files, and of the texts to redact."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.GNU_FORMAT) as archive:
        for name, content in files + ([(TEXTS, texts)] if texts else []):
            info = _info(name, 0o600)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return out.getvalue()


def resource_files(directory: str) -> list[str]:
    """Returns the resource files in a directory, without those below it, in the order of their names."""
    names = sorted(name for name in os.listdir(directory) if name.endswith(_RESOURCES) and not name.startswith("."))
    if not names:
        raise AnsibleError(f"no resource files in `{directory}`: expected {', '.join(_RESOURCES)}")
    return [os.path.join(directory, name) for name in names]


def _info(name: str, mode: int) -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.mode = mode
    return info


def _directory(archive: tarfile.TarFile, name: str) -> None:
    info = _info(name, 0o700)
    info.type = tarfile.DIRTYPE
    archive.addfile(info)


def _add(archive: tarfile.TarFile, root: str, name: str) -> None:
    if not os.path.isdir(root):
        raise AnsibleError(f"`{root}` is not a directory")
    real = os.path.realpath(root)
    for path, directories, files in os.walk(real):
        directories[:] = sorted(d for d in directories if d != ".git")
        below = os.path.relpath(path, real)
        inside = name if below == "." else f"{name}/{below}"
        _directory(archive, inside)
        for entry in sorted(files + [d for d in directories if os.path.islink(os.path.join(path, d))]):
            full = os.path.join(path, entry)
            if os.path.islink(full):
                _add_link(archive, real, full, f"{inside}/{entry}")
            elif os.path.isfile(full):
                with open(full, "rb") as file:
                    info = _info(f"{inside}/{entry}", 0o700 if os.access(full, os.X_OK) else 0o600)
                    info.size = os.fstat(file.fileno()).st_size
                    archive.addfile(info, file)


def _add_link(archive: tarfile.TarFile, root: str, path: str, name: str) -> None:
    target = os.path.realpath(path)
    if os.path.commonpath([root, target]) != root:
        raise AnsibleError(f"`{path}` is a link that leads out of `{root}`")
    info = _info(name, 0o777)
    info.type = tarfile.SYMTYPE
    info.linkname = os.path.relpath(target, os.path.dirname(path))
    archive.addfile(info)
