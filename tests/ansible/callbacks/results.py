"""A callback of Ansible that writes each result as a line of JSON to the file $RTYPE_RESULTS."""

import json
import os

from ansible.plugins.callback import CallbackBase

DOCUMENTATION = """
name: results
type: notification
short_description: Write results as JSON lines
description: Write results as JSON lines.
"""


class CallbackModule(CallbackBase):
    CALLBACK_VERSION = 2.0
    CALLBACK_TYPE = "notification"
    CALLBACK_NAME = "results"

    def _write(self, outcome, result):
        line = {"outcome": outcome, "host": result.host.get_name(), "task": result.task.get_name(), "result": result.result}
        with open(os.environ["RTYPE_RESULTS"], "a", encoding="utf-8") as out:
            out.write(json.dumps(line, default=str) + "\n")

    def v2_runner_on_ok(self, result):
        self._write("ok", result)

    def v2_runner_on_failed(self, result, ignore_errors=False):
        self._write("failed", result)

    def v2_runner_on_skipped(self, result):
        self._write("skipped", result)

    def v2_runner_on_unreachable(self, result):
        self._write("unreachable", result)
