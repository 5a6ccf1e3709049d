#!/usr/bin/python
# Copyright (c) 2026 the rtype maintainers
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Documentation of an action plugin; nothing here runs on a host."""
from __future__ import annotations

DOCUMENTATION = r"""
---
module: inspect
short_description: Compare resources with a host
version_added: 0.1.0
author: the rtype maintainers (@rtype)
description:
  - Compares declared resources with a host and returns the differences. Nothing is changed.
extends_documentation_fragment:
  - rtype.core.host
  - rtype.core.host.input
"""

EXAMPLES = r"""
- name: Is the host as it should be?
  rtype.core.inspect:
    src: site.pp
  register: drift
  failed_when: not drift.in_sync
"""

RETURN = r"""
in_sync:
  description: Whether all resources are as declared.
  returned: success
  type: bool
drifted:
  description: Resources that are not as declared.
  returned: success
  type: list
  elements: str
unknown:
  description: Resources that could not be read.
  returned: success
  type: list
  elements: str
resources:
  description: All resources, with the current and the desired value of each property.
  returned: success
  type: list
  elements: dict
"""
