# Copyright (c) 2026 the rtype maintainers
# SPDX-License-Identifier: MIT OR Apache-2.0
from __future__ import annotations

import typing as t

from ..plugin_utils.inputs import sensitive


class FilterModule:
    """Filters for values of resources."""

    def filters(self) -> dict[str, t.Callable[..., t.Any]]:
        return {"sensitive": sensitive}
