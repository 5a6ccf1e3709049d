//! Examples and exit statuses at the end of each command's help.

#[cfg(feature = "agent")]
pub const AGENT: &str = "\
Examples:
  rtype agent --test --server puppet.example.com    one run, with a new certificate if this node has none
  rtype agent --test --noop                         show what would change
  rtype agent                                       run every 30 minutes until a signal comes
  rtype agent --disable 'upgrade of the database'

Settings have Puppet's names. They are read from `/etc/rtype/agent.toml`, or from `puppet.conf` where Puppet is installed; its
certificates, its lock and its disabled state are used, too. A resource whose type cannot be applied fails, and what depends on it is
skipped. How the last run ended is in `agent/status.json` below the state directory.

Exit status: 0 the run was completed, even if resources failed; 1 it was not, or wrong usage. With --test and
--detailed-exitcodes: 2 changes, 4 failures, 6 both";

pub const APPLY: &str = "\
Examples:
  rtype apply --noop site.pp                 show what would change without changing it
  rtype apply site.pp
  rtype apply catalog.json --tags web        only resources with this tag
  echo \"file { '/tmp/x': ensure => file }\" | rtype apply -
  rtype apply site.pp --report run.jsonl     the lines follow docs/report.schema.json

Errors in declarations are reported before anything is changed. If a resource fails, only the resources that depend on it
are skipped. Ctrl-C stops after the current resource; a second one stops at once.

Exit status: 0; 1 a resource failed or the input is invalid; 2 wrong usage. With --detailed-exitcodes: 0 no changes,
1 wrong usage or invalid input, 2 changes (made or, with --noop, pending), 4 failures, 6 both";

pub const CHECK: &str = "\
Examples:
  rtype check types site.pp      a directory of types and a file of resources
  rtype --types types check site.pp
  rtype check types --profile strict --ignore RT046
  rtype check types --fix                      `--diff` shows the fixes first
  rtype check types --format concise           one line per finding
  rtype check types --report sarif=rtype.sarif --report junit=rtype.xml
  rtype check - --stdin-filename types/door.rtype < buffer

`rtype explain CODE` explains a finding; `# rtype: allow(CODE, reason = \"…\")` suppresses it. See docs/linter.md and
docs/ci.md.

Exit status in every format: 0 no findings except notes, 1 findings, 2 wrong usage or configuration, or a report cannot be written";

pub const COMPILE: &str = "\
Examples:
  rtype compile -e 'include ntp' --modulepath modules
  rtype compile --node web1.example.com --facts web1.json -o catalog.json
  rtype compile --all-nodes facts -o catalogs        a catalog for each file of facts
  rtype compile site.pp --modulepath modules -o catalog.json && rtype apply catalog.json --noop

In a control repository, `environment.conf` names the main manifest and the modules, and `hiera.yaml` the data.
No program is started, and no file outside of the environment and the modules is read. A function or template
that rtype cannot evaluate is an error that names it: docs/manifests.md lists them.

Exit status: 0 all catalogs were compiled; 1 a manifest or a file of facts is wrong; 2 wrong usage";

pub const LOOKUP: &str = "\
Examples:
  rtype lookup ntp::servers --node web1.example.com --facts web1.json
  rtype lookup ntp::servers --explain                 which files were searched, and what each has
  rtype lookup users --merge deep --knock-out-prefix=--
  rtype lookup profile::db::password -o password.json  the value with secrets, in a file of its own

Run this in a control repository: `environment.conf` names the modules, and `hiera.yaml` the data. Values are printed as JSON;
those of keys such as `password` and those converted to `Sensitive` are redacted.

Exit status: 0 a value was found; 1 no key has a value, or a file is wrong; 2 wrong usage";

pub const DESCRIBE: &str = "\
Examples:
  rtype describe --list                  all types, one per line
  rtype describe user                    its attributes and providers
  rtype describe service --providers     which providers work on this machine, and why the others do not
  rtype describe user group --format json
  rtype describe --language strings      the language itself: here the methods of strings

Exit status: 0; 1 a type or word is unknown or has errors";

pub const EXPLAIN: &str = "\
Examples:
  rtype explain RT012
  rtype explain regex-trailing-newline
  rtype explain --list               all codes, one per line

Exit status: 0; 2 unknown code";

pub const DIFF: &str = "\
Examples:
  rtype diff old/types types                   two directories
  rtype diff --since origin/main types         what this branch changes: for CI
  rtype diff --since v1.2.0 types --format markdown
  rtype diff old.json new.json                 two catalogs, as Puppet compiles them
  rtype diff old.json new.json --ignore 'File[/tmp/*]' --ignore '*[*]::tag'

Blocks are compared by meaning, not by layout. A block that differs may break users: it
counts only with `--strict`. In catalogs every difference counts that changes what is
applied.

Exit status: 0 nothing breaks, 1 something breaks or a version has errors, 2 wrong usage;
for catalogs 0 same, 1 different, 2 cannot be compared";

pub const FMT: &str = "\
Examples:
  rtype fmt                              the types and manifests in this directory and below
  rtype fmt --check types                list files that are not formatted, for CI
  rtype fmt --diff types/motd.rtype      show what would change
  rtype fmt - < types/motd.rtype         standard input to standard output, for editors
  rtype fmt --range 12:1-20:1 types/motd.rtype

In directories, files that end in .rtype and .pp are formatted.

Exit status: 0, 1 when a file cannot be formatted or, with --check and --diff, would change,
2 wrong usage";

#[cfg(feature = "import")]
pub const IMPORT: &str = "\
Examples:
  rtype import lib/puppet/type/motd.rb                 the type file, on standard output
  rtype import modules/motd -o types                   types/motd.rtype
  rtype check types                                    check the result

The Ruby source is evaluated without access to the machine; Ruby is not needed. What rtype does not support is kept as `untranslated` and reported with file, line and
reason; evaluating it is an error. Existing files are not overwritten. Providers are not imported.

Exit status: 0 imported, possibly with untranslated parts; 1 a file or type cannot be imported; 2 wrong usage";

pub const FACTS: &str = "\
Examples:
  rtype facts > facts.json

Facts have the names and the structure of facter 4. Blocks of types and `confine` read the same facts.";

pub const INSPECT: &str = "\
Examples:
  rtype inspect site.pp
  echo \"user { 'root': shell => '/bin/zsh' }\" | rtype inspect -
  rtype inspect --exit-code catalog.json     exit with 2 if a resource is out of sync

Exit status: 0; 1 the input is invalid; 2 wrong usage. With --exit-code: 2 out of sync, 4 unknown\nstate, 6 both, 1 also wrong usage";

pub const DOC: &str = "\
Examples:
  rtype doc user                              Markdown of one type
  rtype doc types -o docs/types               one page per type in a directory
  rtype doc --format html -o site             a site of all types; open site/index.html
  rtype doc --format man -o man7 mount && man -l man7/rtype-mount.7
  rtype doc --cli --format man -o man1        pages for rtype(1) and its commands

Examples in fenced blocks of `desc` (```puppet, ```json, ```yaml) are checked; an
invalid one is an error.

Exit status: 0; 1 a type is unknown, has errors or an invalid example; 2 wrong usage";

#[cfg(feature = "lsp")]
pub const LSP: &str = "\
Started by an editor; docs/editors.md describes the setup for Neovim, VS Code, Helix and Emacs.

Examples:
  rtype lsp
  rtype --types types lsp        with another directory of types

Exit status: 0; 1 the client disconnected without shutting down";

pub const NEW: &str = "\
Examples:
  rtype new type door                                      door.rtype, with a provider for a file of records
  rtype new type door --property state:open,closed --property height:integer --implementation program
  rtype new provider systemd_unit --for door               providers/door/systemd_unit.rtype
  rtype new module doors --ci github                       doors/ with types/, an example, rtype.toml, README and CI

In a module, types and providers are created in `types`. Existing files are never overwritten. Missing names are asked for if
standard input and output are terminals.

Exit status: 0; 1 a file exists or cannot be written, or the type does not exist; 2 wrong usage";

pub const PROVIDER: &str = "\
Examples:
  rtype --types types provider test ./lamp.py
  rtype --types types provider test ./lamp.py --resources lamps.pp
  rtype --types types provider test door --cases 1000 --seed 7
  rtype --types types provider test jail --commands tests/programs

The second command creates the resources of the file, removes them and creates them again: run it on a test machine.
docs/providers.md describes the protocol. The third one creates, changes and removes random resources on a simulated machine
with the declared provider of a type. The fourth one runs the programs in the directory in place of those of the provider.

Exit status: 0 the provider passes, 1 it does not, 2 wrong usage, or the provider refuses all resources";

#[cfg(feature = "repl")]
pub const REPL: &str = "\
Declare a resource to see its state; `:help` lists the commands.

Examples:
  rtype repl
  rtype repl types/motd.rtype site.pp        same as `:load` for each
  echo \"user { 'root': uid => 0 }\" | rtype repl

The history is stored in $XDG_STATE_HOME/rtype/history or ~/.local/state/rtype/history,
readable only by you; inputs that set a sensitive attribute are not stored.";

pub const RESOURCE: &str = "\
Examples:
  rtype resource host
  rtype resource user root
  rtype resource package --format json
  rtype resource user bob ensure=present groups=[adm,audio]     applies this resource
  rtype resource service cron ensure=stopped --noop

Exit status: 0; 1 a resource cannot be read or changed; 2 wrong usage";

pub const SCHEMA: &str = "\
Examples:
  rtype schema > resources.schema.json        files with resources of all types
  rtype schema user group > accounts.json     files with resources of these and unknown types
  rtype schema types -o schemas               one file per type in a directory

The schema accepts everything that `rtype check` accepts; it does not contain rules written as blocks.

Exit status: 0; 1 a type is unknown or has errors; 2 wrong usage";

pub const TEST: &str = "\
Examples:
  rtype test                         the types in this directory and below
  rtype test types/motd.rtype
  rtype test types --filter blank    only tests whose title contains this, or of this type
  rtype test types --coverage        what no test reaches
  rtype test types --coverage-min 90 --report junit=rtype-test.xml

Tests do not read this machine.

Exit status: 0 all passed, 1 failures or less coverage than required, 2 wrong usage, no test matches the filter, or a report
cannot be written";

pub const COMPLETIONS: &str = "\
Examples:
  rtype completions bash > ~/.local/share/bash-completion/completions/rtype
  source <(rtype completions bash)               in ~/.bashrc
  rtype completions zsh > ~/.zfunc/_rtype        with ~/.zfunc in $fpath
  rtype completions fish > ~/.config/fish/completions/rtype.fish";
