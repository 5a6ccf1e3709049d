#!/usr/bin/env python3
"""A provider for rtype with the methods of a provider of Puppet's Resource API: trusted keys in ~/.config/signing-keys.json."""

import json
import os
import sys
import tempfile

FILE = os.path.join(os.environ["HOME"], ".config", "signing-keys.json")

HELLO = {
    "protocol": 1, "name": "signing_key", "version": "1.0.0", "type": "signing_key",
    "ops": ["get", "set"], "noop": "none", "batch": 100, "list": "cheap", "features": [],
    "attributes_read": ["ensure", "created", "owner", "uses"], "attributes_write": ["ensure", "created", "owner", "uses"],
    "needs": {"commands": [], "root": False, "os": ["Linux"]},
}


class Context:
    """Logs what a change does: messages on standard error."""

    def log(self, level, message):
        print(json.dumps({"level": level, "msg": message}), file=sys.stderr, flush=True)

    def doing(self, what, name, action):
        self.log("debug", f"{what}: {name}")
        try:
            action()
        except Exception as error:
            self.log("err", f"{what} {name} failed: {error}")
            raise
        self.log("debug", f"{what}: {name} finished")


class SimpleProvider:
    """Calls `create`, `update` and `delete` for each change."""

    def set(self, context, changes):
        for name, change in changes.items():
            before, should = change["is"], change["should"]
            if should is None:
                if before is not None:
                    context.doing("Deleting", name, lambda: self.delete(context, name))
            elif before is None:
                context.doing("Creating", name, lambda: self.create(context, name, should))
            else:
                context.doing("Updating", name, lambda: self.update(context, name, should))


class SigningKey(SimpleProvider):
    def get(self, context):
        try:
            with open(FILE, encoding="utf-8") as file:
                return json.load(file)
        except FileNotFoundError:
            return {}

    def create(self, context, name, should):
        self.write({**self.get(context), name: self.values(should)})

    def update(self, context, name, should):
        keys = self.get(context)
        self.write({**keys, name: {**keys.get(name, {}), **self.values(should)}})

    def delete(self, context, name):
        self.write({key: value for key, value in self.get(context).items() if key != name})

    def values(self, should):
        uses = should.get("uses")
        lists = {"uses": uses if isinstance(uses, list) else [uses]} if uses is not None else {}
        return {"ensure": "present"} | {k: v for k, v in should.items() if k in ("created", "owner") and v is not None} | lists

    def write(self, keys):
        """Replaces the file atomically."""
        os.makedirs(os.path.dirname(FILE), exist_ok=True)
        handle, path = tempfile.mkstemp(dir=os.path.dirname(FILE))
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump(keys, file, indent=2)
        os.replace(path, FILE)


def get(question, provider, context):
    keys = provider.get(context)
    names = list(keys) if question["names"] is None else [item["name"] for item in question["names"]]
    return {"resources": [{"name": name, **keys[name]} for name in names if name in keys], "complete": True}


def set_(question, provider, context):
    results = []
    for item in question["changes"]:
        name, error = item["namevars"]["name"], None
        before = provider.get(context).get(name)
        try:
            provider.set(context, {name: {"is": before, "should": item["should"]}})
        except OSError as why:
            error = {"kind": "failed", "msg": str(why), "attr": None, "retry": False}
        after = provider.get(context).get(name)
        keys = sorted({*(before or {}), *(after or {})})
        pairs = {key: ((before or {}).get(key, "absent"), (after or {}).get(key, "absent")) for key in keys}
        changed = {key: {"was": was, "is": now} for key, (was, now) in pairs.items() if was != now}
        if (before is None) != (after is None):
            changed = {"ensure": changed["ensure"]}
        results.append({"title": item["title"], "changed": changed, "refresh_done": False, "restart": "none", "error": error})
    return {"results": results}


OPS = {"hello": lambda *_: HELLO, "get": get, "set": set_}


def answer(line, provider, context):
    number = None
    try:
        question = json.loads(line)
        number = question["id"]
        if question["op"] not in OPS:
            return {"id": number, "error": {"kind": "unsupported", "msg": f"unknown operation `{question['op']}`", "retry": False}}
        return {"id": number, **OPS[question["op"]](question, provider, context)}
    except (ValueError, KeyError, TypeError, OSError) as error:
        return {"id": number, "error": {"kind": "invalid", "msg": f"{type(error).__name__}: {error}", "retry": False}}


def main():
    provider, context = SigningKey(), Context()
    for line in sys.stdin.buffer:
        print(json.dumps(answer(line, provider, context)), flush=True)


if __name__ == "__main__":
    main()
