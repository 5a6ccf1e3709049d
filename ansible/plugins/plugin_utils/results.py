# Copyright (c) 2026 the rtype maintainers
# SPDX-License-Identifier: MIT OR Apache-2.0
"""What rtype prints, as the result of a task."""

from __future__ import annotations

import re
import typing as t

from . import remote

_REFUSALS = {
    "system": "rtype runs on Linux; the host reports `{}`",
    "architecture": "no rtype binary for `{}`; add one to `binary`",
    "checksum": "the host has neither `sha256sum` nor `openssl`, so the binary cannot be verified; install rtype there and set `executable`",
    "cache": "`{}` is not a directory that only root or this user controls; set `cache_dir`",
    "space": "cannot write to `{}`",
    "tool": "the host has no `{}`",
    "unpack": "cannot unpack an archive on the host; `tar` is needed for `types`, `modulepath` and directories",
    "corrupt": "the file arrived with a different checksum",
    "directory": "`{}` is not a directory",
    "file": "`{}` is a directory; `dest` must be the path of the program",
    "program": "the program does not report a version of rtype; check `binary` and `executable`",
    "executable": "`{}` is not installed on the host",
    "execution": "the program cannot be executed on this host (status {}); is its directory on a file system that is mounted with `noexec`?",
}
# How many lines of what a resource has logged are in the message of a failed task.
LOGGED = 20
_DIAGNOSTIC = re.compile(r"^(?:error|warning|note)(?:\[|:)|^rtype:", re.MULTILINE)


def refusal(words: list[str], paths: dict[str, str] | None = None) -> str:
    """Returns the message for a host where rtype cannot run. The host does not repeat a path that it got from the task."""
    about = " ".join(words[1:])
    return _REFUSALS.get(words[0], "the host refused the run: {}").format((paths or {}).get(words[0], about) if about == "-" else about)


def diagnostics(stderr: str) -> str:
    """Returns what rtype has reported, without what a login shell or ssh have printed before."""
    found = _DIAGNOSTIC.search(stderr)
    return stderr[found.start():].strip() if found else stderr.strip()


def failure(rc: int, stdout: str, stderr: str) -> str:
    """Returns why a run has no result."""
    words = remote.message(stdout)
    if rc == remote.REFUSED and words:
        return refusal(words)
    if words and words[0] == "timeout":
        return "the run did not end within `timeout`"
    if rc in (126, 127):
        return f"the binary cannot be executed on this host (status {rc}): {stderr.strip()}"
    return diagnostics(stderr) or f"rtype ended with status {rc} and printed no result"


def applied(rc: int, stdout: str, stderr: str, with_diff: bool) -> dict[str, t.Any]:
    """Returns the result of `rtype apply --format json --detailed-exitcodes`."""
    lines, damaged = remote.lines(stdout)
    summary = next((line for line in lines if line["kind"] == "summary"), None)
    result: dict[str, t.Any] = {"changed": False, "failed": False, "resources": _resources(lines)}
    changed = [one for one in result["resources"] if one["changed"]]
    result["changed"] = bool(changed)
    if with_diff:
        result["diff"] = _diff(lines)
    logs = [line for line in lines if line["kind"] == "log" and line["level"] in ("warning", "err")]
    if logs:
        result["warnings"] = [_prefixed(line) for line in logs]
    words = remote.message(stdout)
    stopped = words is not None and words[0] == "timeout"
    if summary is None or stopped:
        result.update(failed=True, rc=rc, msg=failure(rc, stdout, stderr))
        if changed:
            result["msg"] += f"; {len(changed)} resources were changed before"
    if summary is None:
        return result
    result["summary"] = summary["resources"]
    result["seconds"] = summary["seconds"]
    counts = summary["resources"]
    failed = [one for one in result["resources"] if one["failed"]]
    if not stopped and (failed or damaged or rc not in (0, 2)):
        reasons = [_reason(one) for one in failed]
        # A damaged line may have reported a failure.
        reasons += [f"damaged lines in the output of rtype: {damaged}"] if damaged else []
        result.update(failed=True, rc=rc, msg="\n".join(reasons) or failure(rc, stdout, stderr))
    elif counts["total"] > 0 and counts["skipped"] == counts["total"]:
        result["skipped"] = True
        result["skip_reason"] = "all resources were skipped"
    return result


def _reason(one: dict[str, t.Any]) -> str:
    """Returns why a resource failed, with the end of what it has logged."""
    logged = [line for log in one["logs"] for line in log["message"].splitlines()]
    return "\n".join([f"{one['resource']}: {one['msg']}", *logged[-LOGGED:]])


def inspected(rc: int, stdout: str, stderr: str, with_diff: bool) -> dict[str, t.Any]:
    """Returns the result of `rtype inspect --format json --exit-code`."""
    report = remote.document(stdout)
    if report is None or "resources" not in report or rc not in (0, 2):
        return {"changed": False, "failed": True, "rc": rc, "msg": failure(rc, stdout, stderr)}
    found = report["resources"]
    drifted = [f"{_label(one)}" for one in found if one["in_sync"] is False]
    unknown = [f"{_label(one)}" for one in found if one["in_sync"] is None]
    result = {"changed": False, "failed": False, "in_sync": not drifted and not unknown, "drifted": drifted, "unknown": unknown, "resources": found}
    if with_diff:
        result["diff"] = [shown for one in found for shown in _inspected_diff(one)]
    return result


def facts(rc: int, stdout: str, stderr: str) -> dict[str, t.Any]:
    """Returns the result of `rtype facts`."""
    report = remote.document(stdout)
    if rc != 0 or report is None:
        return {"changed": False, "failed": True, "rc": rc, "msg": failure(rc, stdout, stderr)}
    return {"changed": False, "failed": False, "ansible_facts": {"rtype": report}}


def _resources(lines: list[dict]) -> list[dict[str, t.Any]]:
    before: dict[str, list[dict]] = {}
    done = []
    for line in lines:
        if line["kind"] in ("event", "log"):
            before.setdefault(line["resource"], []).append(line)
        elif line["kind"] == "resource":
            own = before.pop(line["resource"], [])
            done.append(_resource(line, [one for one in own if one["kind"] == "event"], [one for one in own if one["kind"] == "log"]))
    return done


def _resource(line: dict, events: list[dict], logs: list[dict]) -> dict[str, t.Any]:
    status = line["status"]
    changes = [event for event in events if event["status"] in ("success", "noop")]
    failures = [event["message"] for event in events if event["status"] == "failure"]
    if "why" in line:
        failures.append(line["why"])
    return {
        "resource": line["resource"],
        "type": line["type"],
        "title": line["title"],
        "status": status,
        "changed": bool(changes) or status in ("changed", "would_change") or line["refreshed"],
        "failed": status == "failed" or line["refresh_failed"],
        "skipped": status == "skipped",
        "refreshed": line["refreshed"],
        "seconds": line["seconds"],
        "msg": "; ".join(failures or [event["message"] for event in changes]),
        "events": [{key: event[key] for key in ("property", "status", "message", "previous", "desired", "attributes", "corrective") if key in event}
                   for event in events],
        "logs": [{"level": log["level"], "message": log["message"]} for log in logs],
    }


def _diff(lines: list[dict]) -> list[dict[str, str]]:
    texts = {line["resource"]: line["diff"] for line in lines if line["kind"] == "difference"}
    shown: list[dict[str, str]] = []
    for line in lines:
        if line["kind"] == "difference":
            shown.append({"prepared": line["diff"]})
        elif line["kind"] == "event" and line["status"] in ("success", "noop") and line["property"] is not None:
            # The difference of a content is more than its checksums.
            is_text = line["resource"] in texts
            if not (is_text and line["property"] == "content"):
                shown.append(_property(line["resource"], line["property"], line.get("previous"), line.get("desired"), _set(line, is_text)))
    return shown


def _set(line: dict, is_text: bool) -> dict[str, t.Any]:
    """Returns the attributes of a resource that is created, except for a content that is shown as text."""
    return {name: value for name, value in line.get("attributes", {}).items() if not (is_text and name == "content")}


def _inspected_diff(one: dict) -> list[dict[str, str]]:
    texts = one.get("differences", [])
    shown = [{"prepared": text} for text in texts]
    created = _set(one, bool(texts))
    for name, row in one.get("properties", {}).items():
        if row.get("in_sync") is False and name not in created and not (texts and name == "content"):
            shown.append(_property(_label(one), name, row.get("is"), row.get("should"), created if name == "ensure" else {}))
    return shown


def _property(label: str, name: str, before: t.Any, after: t.Any, created: dict[str, t.Any]) -> dict[str, str]:
    """Returns the difference of a property, and the attributes that are set with it."""
    rest = "".join(f"{other}: {_shown(value)}\n" for other, value in created.items())
    return {"before_header": label, "after_header": label, "before": f"{name}: {_shown(before)}\n", "after": f"{name}: {_shown(after)}\n{rest}"}


def _shown(value: t.Any) -> str:
    return value if isinstance(value, str) else repr(value)


def _label(one: dict) -> str:
    name = "::".join(part.capitalize() for part in one["type"].split("::"))
    return f"{name}[{one['title']}]"


def _prefixed(line: dict) -> str:
    return f"{line['resource']}: {line['message']}" if line.get("resource") else line["message"]
