#!/usr/bin/python
# Copyright (c) 2026 the rtype maintainers
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Documentation of an action plugin; nothing here runs on a host."""
from __future__ import annotations

DOCUMENTATION = r"""
---
module: apply
short_description: Apply resources with rtype
version_added: 0.1.0
author: the rtype maintainers (@rtype)
description:
  - Sends resources to a host and applies them there in order, in one round trip.
options:
  resource_tags:
    description:
      - Only resources with one of these tags are applied.
    type: list
    elements: str
    default: []
  state_dir:
    description:
      - Directory on the host for what rtype remembers between runs.
      - V(~/) and V($HOME/) at the start are the home directory of the user on the host.
    type: str
  purge_limit:
    description:
      - How many resources one C(resources) with C(purge) may remove.
    type: int
    default: 100
  wait_for_lock:
    description:
      - How long to wait, in seconds, if another run is changing the host.
    type: int
    default: 60
extends_documentation_fragment:
  - rtype.core.host
  - rtype.core.host.input
"""

EXAMPLES = r"""
- name: Some resources
  rtype.core.apply:
    resources:
      - type: file
        title: /etc/motd
        parameters:
          content: "Welcome.\n"
      - type: service
        title: cron
        parameters:
          ensure: running

- name: A manifest, with types of our own
  rtype.core.apply:
    src: site.pp
    types: [types]

- name: A password
  rtype.core.apply:
    resources:
      user:
        ada:
          password: "{{ ada_password | rtype.core.sensitive }}"
"""

RETURN = r"""
resources:
  description: What happened to each resource.
  returned: if the run has begun
  type: list
  elements: dict
  contains:
    resource:
      description: The resource, such as C(File[/etc/motd]).
      type: str
      returned: always
    type:
      description: Its type.
      type: str
      returned: always
    title:
      description: Its title.
      type: str
      returned: always
    changed:
      description: Whether it was changed or refreshed, or would be in check mode.
      type: bool
      returned: always
    failed:
      description: Whether it or its refresh failed.
      type: bool
      returned: always
    skipped:
      description: Whether it was skipped.
      type: bool
      returned: always
    refreshed:
      description: Whether it was refreshed after a change of another resource.
      type: bool
      returned: always
    seconds:
      description: How long it took.
      type: float
      returned: always
    status:
      description: One of C(in_sync), C(changed), C(would_change), C(failed) and C(skipped).
      type: str
      returned: always
    msg:
      description: What was changed, or why it failed or was skipped.
      type: str
      returned: always
    events:
      description: Each change, with the values before and after it. If it creates the resource, C(attributes) has the attributes that are set.
      type: list
      elements: dict
      returned: always
    logs:
      description: What it has logged, such as the output of a program that failed, with C(level) and C(message).
      type: list
      elements: dict
      returned: always
summary:
  description: How many resources were changed, failed, skipped and so on.
  returned: if the run has ended
  type: dict
seconds:
  description: How long the run took.
  returned: if the run has ended
  type: float
diff:
  description: The differences, as C(--diff) shows them.
  returned: in diff mode
  type: list
  elements: dict
warnings:
  description: What resources have logged as warnings and errors.
  returned: if there are any
  type: list
  elements: str
skip_reason:
  description: Why the task was skipped.
  returned: if all resources were skipped
  type: str
rc:
  description: Exit status of rtype, or of the command that starts it.
  returned: failure
  type: int
msg:
  description: Why the task failed. For each resource that failed, the reason and the last lines that it has logged.
  returned: failure
  type: str
"""
