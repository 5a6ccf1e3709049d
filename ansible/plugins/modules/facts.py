#!/usr/bin/python
# Copyright (c) 2026 the rtype maintainers
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Documentation of an action plugin; nothing here runs on a host."""
from __future__ import annotations

DOCUMENTATION = r"""
---
module: facts
short_description: Read facts of a host with rtype
version_added: 0.1.0
author: the rtype maintainers (@rtype)
description:
  - Returns the facts that rtype computes, with the names of facter. The host needs no Python.
extends_documentation_fragment:
  - rtype.core.host
"""

EXAMPLES = r"""
- name: Facts
  rtype.core.facts:

- name: Only on Debian
  rtype.core.apply:
    src: debian.pp
  when: ansible_facts.rtype.os.family == "Debian"
"""

RETURN = r"""
ansible_facts:
  description: The facts, in C(rtype).
  returned: success
  type: dict
"""
