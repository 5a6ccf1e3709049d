# Copyright (c) 2026 the rtype maintainers
# SPDX-License-Identifier: MIT OR Apache-2.0
from __future__ import annotations

import typing as t

from ansible.errors import AnsibleActionFail

from ..plugin_utils import inputs, remote, results
from ..plugin_utils.base import HOST_OPTIONS, Rtype


class ActionModule(Rtype):
    """Puts the program of the controller on the host."""

    SPEC = {"binary": HOST_OPTIONS["binary"], "dest": {"type": "str", "default": "/usr/local/bin/rtype"}}

    def act(self, options: dict[str, t.Any]) -> dict[str, t.Any]:
        dest: str = options["dest"]
        target = remote.host_path("dest", dest)
        if not dest.startswith(("/", "~", "$")) or dest.endswith("/"):
            raise AnsibleActionFail("`dest` must be the absolute path of the program")
        programs = self._binaries(options)
        digests = {name: inputs.digest(path) for name, path in programs.items()}
        words = self._asked(remote.place(digests, target, only_look=True), b"")
        changed = words[:1] == ["different"]
        if changed and not self._task.check_mode:
            with open(programs[words[1]], "rb") as program:
                self._asked(remote.place(digests, target, only_look=False), program.read())
        return {"changed": changed, "dest": dest}

    def _asked(self, command: remote.Command, data: bytes) -> list[str]:
        rc, stdout, stderr = self._execute(command, data)
        if rc != 0:
            raise AnsibleActionFail(results.failure(rc, stdout, stderr))
        return remote.message(stdout) or []
