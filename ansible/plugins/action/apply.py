# Copyright (c) 2026 the rtype maintainers
# SPDX-License-Identifier: MIT OR Apache-2.0
from __future__ import annotations

import typing as t

from ..plugin_utils import remote, results
from ..plugin_utils.base import HOST_OPTIONS, INPUT_OPTIONS, ONE_INPUT, Rtype


class ActionModule(Rtype):
    """`rtype apply` on the host."""

    SPEC = {
        **HOST_OPTIONS,
        **INPUT_OPTIONS,
        "resource_tags": {"type": "list", "elements": "str", "default": []},
        "state_dir": {"type": "str"},
        "purge_limit": {"type": "int", "default": 100},
        "wait_for_lock": {"type": "int", "default": 60},
    }
    RULES = ONE_INPUT

    def act(self, options: dict[str, t.Any]) -> dict[str, t.Any]:
        bundle, named = self._bundle(options)
        files, data, layout = self._input(options)
        arguments = [*named, "--color", "never", "apply", "--format", "json", "--detailed-exitcodes"]
        arguments += ["--purge-limit", str(options["purge_limit"])]
        arguments += ["--wait-for-lock", str(options["wait_for_lock"])]
        if self._task.check_mode:
            arguments += ["--noop", "--noop-all"]
        if not self._task.diff:
            arguments.append("--no-diff")
        if options["strict"]:
            arguments.append("--strict")
        if options["state_dir"]:
            arguments += ["--state-dir", remote.host_path("state_dir", options["state_dir"])]
        arguments += [f"--tags={tag}" for tag in options["resource_tags"]]
        done = self._run_rtype(options, [*arguments, *files], data, layout, bundle)
        return results.applied(*done, with_diff=self._task.diff)
