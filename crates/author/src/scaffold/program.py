#!/usr/bin/env python3
"""The provider `@provider@` of the type `@type@`: resources are stored in a JSON file.

Replace `load` and `store` by code that reads and changes what you manage.
"""

import json
import os
import sys
import tempfile

FILE = os.path.join(os.environ.get("HOME", "/root"), ".local", "state", "@type@.json")
NAMEVAR = "@namevar@"
ATTRIBUTES = ["ensure", @properties@]

HELLO = {
    "protocol": 1, "name": "@provider@", "version": "0.1.0", "type": "@type@", "ops": ["get", "set"], "noop": "native",
    "batch": 100, "list": "cheap", "features": [], "attributes_read": ATTRIBUTES, "attributes_write": ATTRIBUTES,
    "needs": {"commands": [], "root": False, "os": []},
}


def load():
    """Returns the existing resources: the properties of each by name."""
    try:
        with open(FILE, encoding="utf-8") as file:
            return json.load(file)
    except FileNotFoundError:
        return {}


def store(resources):
    """Replaces the file atomically: if this is killed, the old or the new file remains."""
    os.makedirs(os.path.dirname(FILE), exist_ok=True)
    handle, path = tempfile.mkstemp(dir=os.path.dirname(FILE))
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump(resources, file, indent=2)
        os.replace(path, FILE)
    except BaseException:
        os.unlink(path)
        raise


def get(request):
    found = load()
    names = list(found) if request["names"] is None else [key[NAMEVAR] for key in request["names"]]
    resources = [{NAMEVAR: name, "ensure": "present", **found[name]} for name in names if name in found]
    return {"resources": resources, "complete": True}


def change(resources, item):
    """Makes one change in `resources`; returns what has changed."""
    name, should = item["namevars"][NAMEVAR], item["should"]
    old = resources.get(name)
    if should is None:
        resources.pop(name, None)
        return {} if old is None else {"ensure": {"was": "present", "is": "absent"}}
    wanted = {key: value for key, value in should.items() if key in ATTRIBUTES and key != "ensure" and value is not None}
    new = {**(old or {}), **wanted}
    resources[name] = new
    if old is None:
        return {"ensure": {"was": "absent", "is": "present"}}
    return {key: {"was": old.get(key), "is": value} for key, value in new.items() if old.get(key) != value}


def set_(request):
    resources, results = load(), []
    for item in request["changes"]:
        changed = change(resources, item)
        results.append({"title": item["title"], "changed": changed, "refresh_done": False, "restart": "none", "error": None})
    if not request.get("noop") and any(result["changed"] for result in results):
        store(resources)
    return {"results": results}


OPERATIONS = {"hello": lambda request: HELLO, "get": get, "set": set_}


def answer(line):
    """Returns the answer to one line, which may be invalid."""
    number = None
    try:
        request = json.loads(line)
        number = request["id"]
        if request["op"] not in OPERATIONS:
            return {"id": number, "error": {"kind": "unsupported", "msg": f"unknown operation `{request['op']}`", "retry": False}}
        return {"id": number, **OPERATIONS[request["op"]](request)}
    except PermissionError as error:
        return {"id": number, "error": {"kind": "forbidden", "msg": str(error), "retry": False}}
    except (ValueError, KeyError, TypeError, OSError) as error:
        return {"id": number, "error": {"kind": "invalid", "msg": f"{type(error).__name__}: {error}", "retry": False}}


def main():
    for line in sys.stdin.buffer:
        print(json.dumps(answer(line)), flush=True)


if __name__ == "__main__":
    main()
