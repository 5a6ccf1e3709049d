# Copyright (c) 2026 the rtype maintainers
# SPDX-License-Identifier: MIT OR Apache-2.0
"""What the action plugins have in common: options, checks of the connection, and sending what a host lacks."""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import typing as t

from ansible.errors import AnsibleActionFail, AnsibleConnectionFailure, AnsibleError
from ansible.plugins.action import ActionBase

from . import inputs, remote, results
from .secrets import Secrets

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
    # Facts are values of the host, which plays use.
    RETURNS_FACTS = False

    SPEC: dict[str, t.Any] = {}
    RULES: dict[str, t.Any] = {}

    # The secrets that were found while Ansible computed the options of this task. That happens in the class, before there is an action.
    _found: t.ClassVar[Secrets | None] = None

    @classmethod
    @contextlib.contextmanager
    def get_finalize_task_args_context(cls) -> t.Iterator[Secrets]:
        Rtype._found = Secrets()
        with Rtype._found.tracking():
            yield Rtype._found

    @classmethod
    def finalize_task_arg(cls, name: str, value: t.Any, templar: t.Any, context: t.Any) -> t.Any:
        try:
            return templar.template(value)
        except AnsibleError as error:
            clean = context.clean(error) if isinstance(context, Secrets) else None
            if clean is None:
                raise
            raise AnsibleActionFail(clean) from None

    def run(self, tmp: str | None = None, task_vars: dict[str, t.Any] | None = None) -> dict[str, t.Any]:
        result = super().run(tmp, task_vars)
        self.secrets = Rtype._found or Secrets()
        Rtype._found = None
        self.secrets.collect(task_vars or {}, self._templar.template)
        try:
            _valid, options = self.validate_argument_spec(argument_spec=self.SPEC, **self.RULES)
            self._options = options
            self._check_connection()
            result.update(self.act(options))
        except (OSError, ValueError) as error:
            result.update(failed=True, msg=str(error))
        except AnsibleError as error:
            is_unreachable = isinstance(error, AnsibleConnectionFailure)
            if not self._task.no_log or is_unreachable:
                clean = self.secrets.clean(error)
                if clean is None:
                    raise
                raise (AnsibleConnectionFailure if is_unreachable else AnsibleActionFail)(clean) from None
            result["failed"] = True
        if result.get("failed") or not self.RETURNS_FACTS:
            result = self.secrets.scrub(result)
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

    def _execute(self, command: remote.Command, data: bytes) -> tuple[int, str, str]:
        variables: dict[str, t.Any] = {}
        self._compute_environment_string(variables)
        done = self._low_level_execute_command(command.text, in_data=remote.environment_line(variables) + command.words + data)
        words = remote.message(done["stdout"])
        if done["rc"] == remote.REFUSED and words and words[1:] == ["-"]:
            raise AnsibleActionFail(results.refusal(words, self._paths()))
        return done["rc"], done["stdout"], done["stderr"]

    def _paths(self) -> dict[str, str]:
        """Returns the paths of options that the host does not repeat."""
        cache, executable, dest = (str(self._options.get(name) or "") for name in ("cache_dir", "executable", "dest"))
        return {"cache": cache, "executable": executable, "directory": os.path.dirname(dest), "space": dest or cache}

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
        """Returns the options and files for the command line, standard input, and its layout."""
        sensitive: list[str] = []
        if options["resources"] is not None:
            data = inputs.resources(options["resources"], self.secrets)
        elif options["content"] is not None:
            # Of a text that was computed from a secret, it is not known where the secret is.
            sensitive = ["--sensitive"] if self.secrets.is_secret(self._task.args.get("content")) else []
            data = options["content"].encode()
        else:
            source = self._find_needle("files", options["src"])
            paths = inputs.resource_files(source) if os.path.isdir(source) else [source]
            sensitive = ["--sensitive"] if any(self.secrets.is_encrypted(path) for path in paths) else []
            files = [(os.path.basename(path), self._read(path)) for path in paths]
            if os.path.isdir(source):
                texts = self.secrets.listed()
                redact = ["--redact", f"$t/site/{inputs.TEXTS}"] if texts else []
                return [*sensitive, *redact, "*"], inputs.site(files, texts), "directory"
            data = files[0][1]
        texts = self.secrets.listed()
        redact = ["--redact", "-"] if texts else []
        return [*sensitive, *redact, "-"], texts + data, "text"

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
