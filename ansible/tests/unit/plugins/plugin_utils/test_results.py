# Copyright (c) 2026 the rtype maintainers
# SPDX-License-Identifier: MIT OR Apache-2.0
"""What rtype prints becomes the result of a task."""
from __future__ import annotations

import json
import typing as t

import yaml

from ansible_collections.rtype.core.plugins.modules import apply, inspect
from ansible_collections.rtype.core.plugins.plugin_utils import remote, results

SUMMARY = {"total": 1, "changed": 0, "would_change": 0, "failed": 0, "skipped": 0, "refreshed": 0, "refresh_failed": 0}


def resource(status: str, **more: t.Any) -> dict[str, t.Any]:
    return {"kind": "resource", "resource": "File[/a]", "type": "file", "title": "/a", "status": status, "refreshed": False,
            "refresh_failed": False, "seconds": 0.1, **more}


def event(status: str, message: str = "created") -> dict[str, t.Any]:
    return {"kind": "event", "resource": "File[/a]", "property": "ensure", "status": status, "message": message, "corrective": False,
            "previous": "absent", "desired": "file"}


def printed(*lines: dict[str, t.Any], **counts: int) -> str:
    summary = {"kind": "summary", "resources": {**SUMMARY, **counts}, "seconds": 1.0}
    return "Welcome!\n" + "\n".join(json.dumps(line) for line in [*lines, summary])


def test_change_is_changed() -> None:
    found = results.applied(2, printed(event("success"), resource("changed")), "", with_diff=True)
    assert (found["changed"], found["failed"]) == (True, False)
    assert found["resources"][0]["msg"] == "created"
    assert found["diff"] == [{"before_header": "File[/a]", "after_header": "File[/a]", "before": "ensure: absent\n", "after": "ensure: file\n"}]


def test_attributes_of_a_new_resource_are_in_the_diff() -> None:
    created = {**event("noop"), "attributes": {"content": "{sha256}0", "owner": "root", "mode": "0600"}}
    text = {"kind": "difference", "resource": "File[/a]", "diff": "--- /a\n+++ /a (wanted)\n@@ -0,0 +1 @@\n+new\n"}
    header = {"before_header": "File[/a]", "after_header": "File[/a]", "before": "ensure: absent\n"}
    found = results.applied(2, printed(text, created, resource("would_change")), "", with_diff=True)
    assert found["diff"] == [{"prepared": text["diff"]}, {**header, "after": "ensure: file\nowner: root\nmode: 0600\n"}]
    assert found["resources"][0]["events"][0]["attributes"] == created["attributes"]
    # Without the text, for example with `show_diff => false`, the checksum is shown.
    found = results.applied(2, printed(created, resource("would_change")), "", with_diff=True)
    assert found["diff"] == [{**header, "after": "ensure: file\ncontent: {sha256}0\nowner: root\nmode: 0600\n"}]
    row = {"is": "absent", "should": "0600", "in_sync": False, "with_ensure": True}
    report = {"resources": [{"type": "file", "title": "/a", "in_sync": False, "attributes": created["attributes"], "differences": [text["diff"]],
                             "properties": {"ensure": {"is": "absent", "should": "file", "in_sync": False}, "mode": row, "owner": row, "content": row}}]}
    found = results.inspected(2, json.dumps(report, indent=1), "", with_diff=True)
    assert found["diff"] == [{"prepared": text["diff"]}, {**header, "after": "ensure: file\nowner: root\nmode: 0600\n"}]


def test_failure_names_the_resource() -> None:
    found = results.applied(4, printed(event("failure", "no room"), resource("failed"), failed=1), "", with_diff=False)
    assert (found["failed"], found["msg"]) == (True, "File[/a]: no room")


def test_run_without_summary_failed() -> None:
    found = results.applied(1, "", "motd of the shell\nerror[RM002]: no attribute", with_diff=False)
    assert (found["failed"], found["msg"]) == (True, "error[RM002]: no attribute")


def test_all_skipped_is_skipped() -> None:
    found = results.applied(0, printed(resource("skipped"), skipped=1), "", with_diff=False)
    assert found["skipped"] is True


def test_refusals_have_a_way_out() -> None:
    text = results.failure(remote.REFUSED, f"{remote.MARK}architecture mips\n", "")
    assert text == "no rtype binary for `mips`; add one to `binary`"


def test_logs_of_a_failed_resource_are_in_the_message() -> None:
    logs = [{"kind": "log", "resource": "File[/a]", "level": "notice", "message": f"line {number}"} for number in range(30)]
    found = results.applied(4, printed(*logs, event("failure", "returned 3"), resource("failed"), failed=1), "", with_diff=False)
    assert found["msg"].splitlines() == ["File[/a]: returned 3", *(f"line {number}" for number in range(10, 30))]
    assert found["resources"][0]["logs"] == [{"level": "notice", "message": f"line {number}"} for number in range(30)]


def test_damaged_output_is_a_failure() -> None:
    found = results.applied(0, printed(resource("in_sync")) + '\n{"kind": "resou', "", with_diff=False)
    assert (found["failed"], found["msg"]) == (True, "damaged lines in the output of rtype: 1")


def test_damaged_report_is_a_failure() -> None:
    found = results.inspected(2, '{\n "resources": [\n{"type": "file"},', "", with_diff=False)
    assert (found["failed"], found["msg"]) == (True, "rtype ended with status 2 and printed no result")


def test_results_are_documented() -> None:
    # Every module of Ansible returns these.
    common = {"changed", "failed", "skipped"}
    log = {"kind": "log", "resource": None, "level": "warning", "message": "x"}
    printed_lines = (printed(log, event("success"), resource("changed")), printed(resource("skipped"), skipped=1), printed(resource("failed"), failed=1))
    found = [results.applied(0, text, "", with_diff=True) for text in printed_lines]
    documented = yaml.safe_load(apply.RETURN)
    assert {key for one in found for key in one} - common == set(documented)
    assert set(found[0]["resources"][0]) == set(documented["resources"]["contains"])
    report = {"resources": [{"type": "file", "title": "/a", "in_sync": False, "properties": {}}]}
    found = [results.inspected(rc, json.dumps(report, indent=1), "", with_diff=True) for rc in (2, 1)]
    assert {key for one in found for key in one} - common == set(yaml.safe_load(inspect.RETURN))
