#!/usr/bin/env python3
"""A provider for rtype: which application opens a MIME type, in ~/.config/mimeapps.list."""

import json
import os
import sys
import tempfile

FILE = os.path.join(os.environ["HOME"], ".config", "mimeapps.list")
SECTION = "[Default Applications]"

HELLO = {
    "protocol": 1, "name": "mimeapps", "version": "1.0.0", "type": "mime_default",
    "ops": ["get", "set"], "noop": "native", "batch": 100, "list": "cheap", "features": [],
    "attributes_read": ["ensure", "applications"], "attributes_write": ["ensure", "applications"],
    "needs": {"commands": [], "root": False, "os": ["Linux"]},
}


class Refused(Exception):
    """An error to report in the protocol."""

    def __init__(self, kind, msg, attr=None):
        super().__init__(msg)
        self.error = {"kind": kind, "msg": msg, "attr": attr, "retry": False}


def read_lines():
    """Returns the lines of the file; bytes that are not UTF-8 are preserved."""
    try:
        with open(FILE, encoding="utf-8", errors="surrogateescape") as file:
            return file.read().splitlines()
    except FileNotFoundError:
        return []


def defaults(lines):
    """MIME type -> (line number, applications)."""
    found, section = {}, None
    for number, line in enumerate(lines):
        if line.startswith("["):
            section = line.strip()
        elif section == SECTION and "=" in line and not line.startswith("#"):
            name, value = line.split("=", 1)
            found[name.strip()] = (number, [part for part in value.strip().split(";") if part])
    return found


def write_lines(lines):
    """Replaces the file atomically: if this is killed, the old or the new file remains."""
    os.makedirs(os.path.dirname(FILE), exist_ok=True)
    handle, path = tempfile.mkstemp(dir=os.path.dirname(FILE))
    try:
        with os.fdopen(handle, "w", encoding="utf-8", errors="surrogateescape") as file:
            file.write("".join(line + "\n" for line in lines))
        os.replace(path, FILE)
    except BaseException:
        os.unlink(path)
        raise


def get(question):
    found = defaults(read_lines())
    if question["names"] is None:
        names = list(found)
    else:
        names = [item["name"] for item in question["names"] if item["name"] in found]
    return {
        "resources": [{"name": name, "ensure": "present", "applications": found[name][1]} for name in names],
        "complete": True,
    }


def change(lines, title, name, should):
    """Makes one change in `lines`; gives what has changed."""
    found = defaults(lines)
    number, was = found.get(name, (None, None))
    if should is None:
        if number is None:
            return {}
        del lines[number]
        return {"ensure": {"was": "present", "is": "absent"}}
    applications = should.get("applications", was or [])
    if isinstance(applications, str):
        applications = [applications]
    if not applications:
        raise Refused("invalid", f"which application opens `{title}` is not said", "applications")
    if applications == was:
        return {}
    line = name + "=" + ";".join(applications) + ";"
    if number is not None:
        lines[number] = line
        return {"applications": {"was": was, "is": applications}}
    if SECTION not in lines:
        lines.append(SECTION)
    lines.insert(lines.index(SECTION) + 1, line)
    return {"ensure": {"was": "absent", "is": "present"}}


def set_(question):
    lines, results = read_lines(), []
    before = list(lines)
    for item in question["changes"]:
        result = {"title": item["title"], "changed": {}, "refresh_done": False, "restart": "none", "error": None}
        try:
            result["changed"] = change(lines, item["title"], item["namevars"]["name"], item["should"])
        except Refused as refused:
            result["error"] = refused.error
        results.append(result)
    if lines != before and not question.get("noop"):
        write_lines(lines)
    return {"results": results}


OPS = {"hello": lambda question: HELLO, "get": get, "set": set_}


def answer(line):
    """Returns the answer to one line, which may be invalid."""
    number = None
    try:
        question = json.loads(line)
        number = question["id"]
        if question["op"] not in OPS:
            raise Refused("unsupported", f"unknown operation `{question['op']}`")
        return {"id": number, **OPS[question["op"]](question)}
    except Refused as refused:
        return {"id": number, "error": refused.error}
    except PermissionError as error:
        return {"id": number, "error": {"kind": "forbidden", "msg": str(error), "retry": False}}
    except (ValueError, KeyError, TypeError, OSError) as error:
        return {"id": number, "error": {"kind": "invalid", "msg": f"{type(error).__name__}: {error}", "retry": False}}


def main():
    for line in sys.stdin.buffer:
        print(json.dumps(answer(line)), flush=True)


if __name__ == "__main__":
    main()
