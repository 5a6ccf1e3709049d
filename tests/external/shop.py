#!/usr/bin/env python3
# A program with methods of its own, and knowledge of the doors in the catalog. Its resources are kept in `state.json`.
import json, os, sys
doors = []
file = os.path.join(os.path.dirname(os.path.abspath(__file__)), "state.json")
state = json.load(open(file)) if os.path.exists(file) else {}
def say(**answer):
    with open(file + ".new", "w") as new: json.dump(state, new)
    os.rename(file + ".new", file)
    print(json.dumps(answer), flush=True)
for line in sys.stdin.buffer:
    try:
        ask = json.loads(line)
    except ValueError:
        say(id=None, error={"kind": "invalid", "msg": "not JSON"})
        continue
    id, op = ask.get("id"), ask.get("op")
    if op == "hello":
        say(id=id, protocol=1, minor=1, name="shop", version="1", type="hinge", ops=["get", "set", "call", "catalog"], catalog=["hinge"],
            batch=5, list="cheap", features=[], queries=["limit"], actions=["polish"],
            attributes_read=["state", "doors"], attributes_write=["state", "doors"])
    elif op == "catalog":
        doors = [one["title"] for one in ask["resources"]]
        print(json.dumps({"level": "notice", "msg": "the catalog has " + ", ".join(doors)}), file=sys.stderr, flush=True)
        print(json.dumps({"level": "info", "msg": "an informational message"}), file=sys.stderr, flush=True)
        say(id=id)
    elif op == "get":
        names = [one["name"] for one in ask["names"]] if ask["names"] is not None else list(state)
        say(id=id, complete=True, resources=[dict(state[name], name=name) for name in names if name in state])
    elif op == "set":
        for change in ask["changes"]:
            state.setdefault(change["namevars"]["name"], {}).update(change["should"] or {})
        say(id=id, results=[{"title": change["title"]} for change in ask["changes"]])
    elif op == "call" and ask["method"] == "limit":
        VALUE
    elif op == "call" and ask["method"] == "polish":
        state.setdefault(ask["namevars"]["name"], {})["state"] = "polished"
        print(json.dumps({"level": "notice", "msg": "polished with " + repr(ask["arguments"])}), file=sys.stderr, flush=True)
        say(id=id, value=None)
    else:
        say(id=id, error={"kind": "unsupported", "msg": "unknown operation or method"})
