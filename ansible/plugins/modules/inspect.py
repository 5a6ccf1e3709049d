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
  description: All resources.
  returned: success
  type: list
  elements: dict
  contains:
    type:
      description: The type.
      type: str
      returned: always
    title:
      description: The title.
      type: str
      returned: always
    provider:
      description: The provider that has read it.
      type: str
      returned: always
    generated_by:
      description: The resource that has generated it, or null.
      type: str
      returned: always
    in_sync:
      description: Whether it is as declared; null if it could not be read.
      type: bool
      returned: always
    properties:
      description: The properties by name, with C(is), C(should), C(in_sync), and C(change) if they differ.
      type: dict
      returned: always
    ignored:
      description: Attributes that have no effect.
      type: list
      elements: str
      returned: always
    autorequire:
      description: Resources that are applied before this one. C(autobefore), C(autonotify) and C(autosubscribe) are the other relations.
      type: list
      elements: str
      returned: always
diff:
  description: The differences, as C(--diff) shows them.
  returned: in diff mode
  type: list
  elements: dict
rc:
  description: Exit status of rtype, or of the command that starts it.
  returned: failure
  type: int
msg:
  description: Why the task failed.
  returned: failure
  type: str
"""
