# Copyright (c) 2026 the rtype maintainers
# SPDX-License-Identifier: MIT OR Apache-2.0
"""What the action plugins have in common: options, checks of the connection, and sending what a host lacks."""

from __future__ import annotations

import hashlib
import os
import shutil
import typing as t

from ansible.errors import AnsibleActionFail, AnsibleConnectionFailure, AnsibleError
from ansible.plugins.action import ActionBase

from . import inputs, remote, results

HOST_OPTIONS: dict[str, t.Any] = {
    "binary": {"type": "list", "elements": "path"},
    "cache_dir": {"type": "path"},
    "executable": {"type": "path"},
    "timeout": {"type": "int", "default": 1800},
}
INPUT_OPTIONS: dict[str, t.Any] = {
    "resources": {"type": "raw"},
    "src": {"type": "path"},
    "content": {"type": "str"},
    "types": {"type": "list", "elements": "path", "default": []},
    "modulepath": {"type": "list", "elements": "path", "default": []},
    "strict": {"type": "bool", "default": False},
}
ONE_INPUT: dict[str, t.Any] = {
    "mutually_exclusive": [("resources", "src", "content")],
    "required_one_of": [("resources", "src", "content")],
}


class Rtype(ActionBase):
    """An action that runs rtype on the host."""

    _requires_connection = True
    _supports_check_mode = True
    _supports_async = False
    TRANSFERS_FILES = False

    SPEC: dict[str, t.Any] = {}
    RULES: dict[str, t.Any] = {}

    def run(self, tmp: str | None = None, task_vars: dict[str, t.Any] | None = None) -> dict[str, t.Any]:
        result = super().run(tmp, task_vars)
        try:
            _valid, options = self.validate_argument_spec(argument_spec=self.SPEC, **self.RULES)
            self._check_connection()
            result.update(self.act(options))
        except (OSError, ValueError) as error:
            result.update(failed=True, msg=str(error))
        except AnsibleError as error:
            if not self._task.no_log or isinstance(error, AnsibleConnectionFailure):
                raise
            result["failed"] = True
        if result.get("failed") and self._task.no_log:
            # Ansible hides the result of such a task, but prints its message.
            result["msg"] = "the task failed; `no_log` hides why"
        return result

    def act(self, options: dict[str, t.Any]) -> dict[str, t.Any]:
        """Does what the task asks for, and returns its result."""
        raise NotImplementedError

    def _check_connection(self) -> None:
        name = getattr(self._connection, "ansible_name", None) or self._connection.transport
        family = getattr(self._connection._shell, "SHELL_FAMILY", "")
        if family != "sh":
            raise AnsibleActionFail(f"the connection `{name}` has no POSIX shell on the host; rtype runs on Linux")
        # Everything goes over standard input. A become method that needs a terminal would read it as what a user types.
        if not self._connection.has_pipelining:
            raise AnsibleActionFail(f"the connection `{name}` does not pass standard input to commands; use `ssh`, `local` or a container connection")
        become = self._connection.become
        if become is not None and not become.pipelining:
            raise AnsibleActionFail(f"the become method `{become.name}` does not pass standard input to commands; use `sudo`")

    def _execute(self, command: str, data: bytes) -> tuple[int, str, str]:
        variables: dict[str, t.Any] = {}
        self._compute_environment_string(variables)
        done = self._low_level_execute_command(command, in_data=remote.environment_line(variables) + data)
        return done["rc"], done["stdout"], done["stderr"]

    def _binaries(self, options: dict[str, t.Any]) -> dict[str, str]:
        """Returns the programs on the controller by architecture."""
        paths = [self._find_needle("files", path) for path in options["binary"] or []]
        if not paths:
            installed = shutil.which("rtype")
            if installed is None:
                raise AnsibleActionFail("no rtype binary: install rtype on the controller, or set `binary` or `executable`")
            paths = [installed]
        return inputs.binaries(paths)

    def _limit(self, options: dict[str, t.Any]) -> int:
        """Returns the seconds after which the host ends the run. When the task is over on the controller, it is over on the host."""
        limits = [limit for limit in (options["timeout"], self._task.timeout) if limit]
        if not limits or min(limits) < 1:
            raise AnsibleActionFail("`timeout` must be at least 1")
        return min(limits)

    def _run_rtype(self, options: dict[str, t.Any], arguments: list[str], data: bytes = b"", layout: str = "none",
                   bundle: bytes | None = None) -> tuple[int, str, str]:
        """Runs rtype on the host, and first sends it there if it is missing."""
        programs = {} if options["executable"] else self._binaries(options)
        digests = {name: inputs.digest(path) for name, path in programs.items()}
        host = remote.Host(
            cache=options["cache_dir"],
            digests=digests,
            bundle=hashlib.sha256(bundle).hexdigest() if bundle is not None else None,
            executable=options["executable"],
        )
        command = remote.run(host, arguments, self._limit(options), layout)
        rc, stdout, stderr = self._execute(command, data)
        if rc != remote.MISSING:
            return rc, stdout, stderr
        missing = remote.message(stdout) or []
        if "binary" in missing:
            name = missing[missing.index("binary") + 1]
            with open(programs[name], "rb") as program:
                self._store(host, "rtype", digests[name], program.read())
        if "bundle" in missing and bundle is not None and host.bundle is not None:
            self._store(host, "bundle", host.bundle, bundle)
        return self._execute(command, data)

    def _store(self, host: remote.Host, kind: str, digest: str, content: bytes) -> None:
        rc, stdout, stderr = self._execute(remote.store(host, kind, digest), content)
        if rc != 0:
            raise AnsibleActionFail(results.failure(rc, stdout, stderr))

    def _input(self, options: dict[str, t.Any]) -> tuple[list[str], bytes, str]:
        """Returns the files to name on the command line, standard input, and its layout."""
        if options["resources"] is not None:
            return ["-"], inputs.resources(options["resources"]), "text"
        if options["content"] is not None:
            return ["-"], options["content"].encode(), "text"
        source = self._find_needle("files", options["src"])
        if not os.path.isdir(source):
            return ["-"], self._read(source), "text"
        files = [(os.path.basename(path), self._read(path)) for path in inputs.resource_files(source)]
        return ["*"], inputs.site(files), "directory"

    def _read(self, path: str) -> bytes:
        """Returns a file of the controller; one that Ansible Vault has encrypted is decrypted."""
        try:
            real = self._loader.get_real_file(path)
            with open(real, "rb") as file:
                return file.read()
        except AnsibleError as error:
            raise AnsibleActionFail(str(error)) from error
        finally:
            self._loader.cleanup_tmp_file(real) if "real" in locals() else None

    def _bundle(self, options: dict[str, t.Any]) -> tuple[bytes | None, list[str]]:
        """Returns the archive of types and modules, and the options that name them on the host."""
        types = [self._find_needle("files", path) for path in options["types"]]
        modules = [self._find_needle("files", path) for path in options["modulepath"]]
        if not types and not modules:
            return None, []
        named = [word for n in range(len(types)) for word in ("--types", f"$t/bundle/types/{n}")]
        named += [word for n in range(len(modules)) for word in ("--modulepath", f"$t/bundle/modules/{n}")]
        return inputs.bundle(types, modules), named
