# Copyright (c) 2026 the rtype maintainers
# SPDX-License-Identifier: MIT OR Apache-2.0
from __future__ import annotations


class ModuleDocFragment:
    """Options of all modules, and of those that read resources."""

    DOCUMENTATION = r"""
options:
  binary:
    description:
      - Programs on the controller, at most one for each architecture. The host gets the one for its architecture once, and it is compared with
        its SHA-256 digest before each use.
      - The rtype that is installed on the controller, if omitted.
    type: list
    elements: path
  cache_dir:
    description:
      - Directory on the host for the program and for types. Only root and the user that runs rtype may control it and the directories above it.
      - V(~/) and V($HOME/) at the start are the home directory of the user on the host.
      - C(/var/cache/rtype) for root, otherwise C(~/.cache/rtype), if omitted.
    type: str
  executable:
    description:
      - Program that is on the host already. Nothing is sent then.
      - V(~/) and V($HOME/) at the start are the home directory of the user on the host.
    type: str
  timeout:
    description:
      - Seconds after which the run is ended on the host.
    type: int
    default: 1800
attributes:
  check_mode:
    description: Can run in check_mode and return changed status prediction without modifying target.
    support: full
notes:
  - Set C(gather_facts=false) in plays for hosts without Python. Ansible's own facts need it.
  - The host needs Linux, a POSIX shell, C(mktemp), and C(sha256sum) or C(openssl); for types, modules and directories also C(tar). It needs no Python.
  - The connection and the become method must pass standard input, as C(ssh), C(local) and C(sudo) do.
"""

    INPUT = r"""
attributes:
  diff_mode:
    description: Will return details on what has changed (or possibly needs changing in check_mode), when in diff mode.
    support: full
options:
  resources:
    description:
      - A list of resources with C(type), C(title) and C(parameters), or types with titles.
      - Exactly one of O(resources), O(src) and O(content) is required.
      - Ansible does not evaluate templates in keys. Use the list for titles that are computed.
      - Values of the filter P(rtype.core.sensitive#filter) and of Ansible Vault appear in no output, also if they are within other text or come
        from a file that is encrypted as a whole. Common values of such a file, such as V(true), V(present) and numbers below 100000, stay visible.
    type: raw
  src:
    description:
      - File on the controller with resources (C(.pp), C(.json), C(.yaml)), a compiled catalog, or a directory of such files.
      - If Ansible Vault has encrypted one of them, no values of attributes are shown.
      - Exactly one of O(resources), O(src) and O(content) is required.
    type: path
  content:
    description:
      - Resources as text, in Puppet's syntax, JSON or YAML.
      - If it was computed from a value of Ansible Vault or by the filter P(rtype.core.sensitive#filter), no values of attributes are shown. Use
        O(resources) to see those that are not secret.
      - Exactly one of O(resources), O(src) and O(content) is required.
    type: str
  types:
    description:
      - Directories on the controller with types, or Puppet modules. They are sent to the host once for each version.
    type: list
    elements: path
    default: []
  modulepath:
    description:
      - Directories on the controller with Puppet modules.
    type: list
    elements: path
    default: []
  strict:
    description:
      - Treat attributes that need a feature the provider lacks, or that are not checked, as errors.
    type: bool
    default: false
"""
