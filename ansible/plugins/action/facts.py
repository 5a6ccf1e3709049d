# Copyright (c) 2026 the rtype maintainers
# SPDX-License-Identifier: MIT OR Apache-2.0
from __future__ import annotations

import typing as t

from ..plugin_utils import results
from ..plugin_utils.base import HOST_OPTIONS, Rtype


class ActionModule(Rtype):
    """`rtype facts` on the host."""

    SPEC = HOST_OPTIONS
    RETURNS_FACTS = True

    def act(self, options: dict[str, t.Any]) -> dict[str, t.Any]:
        return results.facts(*self._run_rtype(options, ["facts"]))
