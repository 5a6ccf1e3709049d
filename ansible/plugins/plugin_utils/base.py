# Copyright (c) 2026 the rtype maintainers
# SPDX-License-Identifier: MIT OR Apache-2.0
"""What the action plugins have in common: options, checks of the connection, and sending what a host lacks."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import shutil
import typing as t

from ansible.errors import AnsibleActionFail, AnsibleConnectionFailure, AnsibleError
from ansible.plugins.action import ActionBase

from . import inputs, remote, results
from .secrets import Secrets

HOST_OPTIONS: dict[str, t.Any] = {
    "binary": {"type": "list", "elements": "path"},
    # Paths on the host are texts here: Ansible would expand `~` for the controller.
    "cache_dir": {"type": "str"},
    "executable": {"type": "str"},
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


# The directories of a run in messages of rtype, and what may precede a path there.
_SENT = re.compile(r"run-[0-9]+\.[A-Za-z0-9]{6}/(site|bundle/(?:types|modules)/[0-9]+)(/?)")
_BEFORE_PATH = frozenset(" \n\t\"'`[](=")


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
            inputs.refuse_unknown(self._task.args, self.SPEC)
            _valid, options = self.validate_argument_spec(argument_spec=self.SPEC, **self.RULES)
            self._options = options
            # What is on the controller for each directory of the run.
            self._sources: dict[str, str] = {}
            for name, value in self._task.args.items():
                if name not in ("resources", "content"):
                    inputs.refuse_marks(name, value)
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
        inputs.refuse_marks("environment", variables)
        done = self._low_level_execute_command(command.text, in_data=remote.environment_line(variables) + command.words + data)
        stdout = remote.without_heartbeat(done["stdout"])
        words = remote.message(stdout)
        if done["rc"] == remote.REFUSED and words and words[1:] == ["-"]:
            raise AnsibleActionFail(results.refusal(words, self._paths()))
        return done["rc"], stdout, done["stderr"]

    def _paths(self) -> dict[str, str]:
        """Returns the paths of options that the host does not repeat."""
        cache, executable, dest = (str(self._options.get(name) or "") for name in ("cache_dir", "executable", "dest"))
        return {"cache": cache, "executable": executable, "directory": os.path.dirname(dest), "file": dest, "space": dest or cache}

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
            cache=remote.host_path("cache_dir", options["cache_dir"]) if options["cache_dir"] else None,
            digests=digests,
            bundle=hashlib.sha256(bundle).hexdigest() if bundle is not None else None,
            executable=remote.host_path("executable", options["executable"]) if options["executable"] else None,
        )
        command = remote.run(host, arguments, self._limit(options), layout)
        rc, stdout, stderr = self._execute(command, data)
        if rc != remote.MISSING:
            return self._named(rc, stdout, stderr)
        missing = remote.message(stdout) or []
        if "binary" in missing:
            name = missing[missing.index("binary") + 1]
            with open(programs[name], "rb") as program:
                self._store(host, "rtype", digests[name], program.read())
        if "bundle" in missing and bundle is not None and host.bundle is not None:
            self._store(host, "bundle", host.bundle, bundle)
        return self._named(*self._execute(command, data))

    def _named(self, rc: int, stdout: str, stderr: str) -> tuple[int, str, str]:
        """Returns what rtype has printed, with the paths that the task has instead of those of the run."""
        return rc, self._with_sources(stdout, lambda path: json.dumps(path)[1:-1]), self._with_sources(stderr, str)

    def _with_sources(self, text: str, written: t.Callable[[str], str]) -> str:
        parts, end = [], 0
        for match in _SENT.finditer(text):
            path = self._sources.get(match[1])
            if path is not None:
                start = match.start()
                while start > end and text[start - 1] not in _BEFORE_PATH:
                    start -= 1
                parts += [text[end:start], written(path if match[2] else path.rstrip("/"))]
                end = match.end()
        return "".join([*parts, text[end:]])

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
            content, is_secret = inputs.content(self._task.args.get("content"), options["content"])
            sensitive = ["--sensitive"] if is_secret or self.secrets.is_secret(self._task.args.get("content")) else []
            data = content.encode()
        else:
            return self._source(options["src"])
        texts = self.secrets.listed()
        redact = ["--redact", "-"] if texts else []
        return [*sensitive, *redact, "-"], texts + data, "text"

    def _source(self, src: str) -> tuple[list[str], bytes, str]:
        """Returns the same for a file or a directory. Files keep their names on the host: rtype reads them by extension."""
        source = self._find_needle("files", src)
        is_directory = os.path.isdir(source)
        paths = inputs.resource_files(source) if is_directory else [source]
        files = [(os.path.basename(path), self._read(path)) for path in paths]
        self._sources["site"] = src.rstrip("/") + "/" if is_directory else src[:len(src) - len(os.path.basename(src))]
        texts = self.secrets.listed()
        hidden = ["--sensitive"] if any(self.secrets.is_encrypted(path) for path in paths) else []
        hidden += ["--redact", remote.in_run(f"site/{remote.TEXTS}")] if texts else []
        if is_directory:
            return [*hidden, remote.Word('"$t"/site/*')], inputs.site(files, texts), "directory"
        name, content = files[0]
        return [*hidden, remote.in_run(f"site/{name}")], (texts or b"\n") + content, f"site/{name}"

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
        named = []
        for option, directory, paths in (("--types", "bundle/types", options["types"]), ("--modulepath", "bundle/modules", options["modulepath"])):
            for number, path in enumerate(paths):
                named += [option, remote.in_run(f"{directory}/{number}")]
                self._sources[f"{directory}/{number}"] = path.rstrip("/") + "/"
        return inputs.bundle(types, modules), named
