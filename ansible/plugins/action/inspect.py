# Copyright (c) 2026 the rtype maintainers
# SPDX-License-Identifier: MIT OR Apache-2.0
from __future__ import annotations

import typing as t

from ..plugin_utils import results
from ..plugin_utils.base import HOST_OPTIONS, INPUT_OPTIONS, ONE_INPUT, Rtype


class ActionModule(Rtype):
    """`rtype inspect` on the host."""

    SPEC = {**HOST_OPTIONS, **INPUT_OPTIONS}
    RULES = ONE_INPUT

    def act(self, options: dict[str, t.Any]) -> dict[str, t.Any]:
        bundle, named = self._bundle(options)
        files, data, layout = self._input(options)
        strict = ["--strict"] if options["strict"] else []
        arguments = [*named, "--color", "never", "inspect", "--format", "json", "--exit-code", *strict]
        if not self._task.diff:
            arguments.append("--no-diff")
        arguments += files
        done = self._run_rtype(options, arguments, data, layout, bundle)
        return results.inspected(*done, with_diff=self._task.diff)
