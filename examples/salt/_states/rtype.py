"""A Salt state that applies resources with rtype, which is on the minion."""

import json
import shutil
import subprocess


def __virtual__():
    return True if shutil.which("rtype") else (False, "rtype is not installed on the minion")


def applied(name, resources, sensitive=True):
    """Apply resources, each with `type`, `title` and `parameters`. With `sensitive: false`, the values of attributes are shown."""
    command = ["rtype", "apply", "-", "--color", "never", "--format", "json"]
    if __opts__["test"]:
        # A resource with `noop => false` is not changed either.
        command += ["--noop", "--noop-all"]
    if sensitive:
        command.append("--sensitive")
    # An error shows the line that it is about, so no line has more than one value.
    done = subprocess.run(command, input=json.dumps(resources, indent=1), capture_output=True, encoding="utf-8")
    # Reasons are why something failed or was skipped.
    changes, reasons = {}, []
    for line in map(json.loads, filter(None, done.stdout.split("\n"))):
        if line["kind"] == "event" and line["status"] in ("success", "noop"):
            if line["property"] is None:
                changes[line["resource"]] = line["message"]
            else:
                changes[f"{line['resource']}/{line['property']}"] = {"old": line.get("previous"), "new": line.get("desired")}
        elif line["kind"] == "event" and line["status"] == "failure":
            reasons.append(f"{line['resource']}: {line['message']}")
        elif "why" in line:
            reasons.append(f"{line['resource']}: {line['why']}")
    result = False if done.returncode else None if changes and __opts__["test"] else True
    return {"name": name, "result": result, "changes": changes, "comment": "\n".join([*reasons, done.stderr]).strip()}
