#!/usr/bin/python
# Copyright (c) 2026 the rtype maintainers
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Documentation of an action plugin; nothing here runs on a host."""
from __future__ import annotations

DOCUMENTATION = r"""
---
module: install
short_description: Install rtype on a host
version_added: 0.1.0
author: the rtype maintainers (@rtype)
description:
  - Puts the program for the architecture of the host in place, unless it is there. The role P(rtype.core.install#role) does nothing else.
options:
  binary:
    description:
      - Programs on the controller, at most one for each architecture. The rtype that is installed there, if omitted.
    type: list
    elements: path
  dest:
    description:
      - Absolute path of the program on the host.
      - V(~/) and V($HOME/) at the start are the home directory of the user on the host.
    type: str
    default: /usr/local/bin/rtype
attributes:
  check_mode:
    description: Can run in check_mode and return changed status prediction without modifying target.
    support: full
"""

EXAMPLES = r"""
- name: Install rtype
  rtype.core.install:
    binary: [rtype-x86_64, rtype-aarch64]
"""

RETURN = r"""
dest:
  description: Where the program is, as O(dest) has it.
  returned: success
  type: str
"""
