//! What the help of each verb ends with.

pub const APPLY: &str = "\
Examples:
  rtype apply --noop site.pp                 tells what would be changed, and changes nothing
  rtype apply site.pp
  rtype apply catalog.json --tags web        only what has the tag
  echo \"file { '/tmp/x': ensure => file }\" | rtype apply -
  rtype apply site.pp --report run.jsonl     docs/report.schema.json describes its lines

Errors in what is declared are told first, and nothing is changed then. A resource that fails keeps back what depends on
it, and nothing else. Ctrl-C finishes the resource that is being changed; a second one stops at once.

Exit status: 0, 1 when something failed or the input cannot be used, 2 wrong usage. With --detailed-exitcodes: 0 nothing was
changed, 2 changed (or would be), 4 failed, 6 both";

pub const CHECK: &str = "\
Examples:
  rtype check types site.pp      a directory of types and a file of resources
  rtype --types types check site.pp
  rtype check types --profile strict --ignore RT046
  rtype check types --fix                      and `--diff` to see what it would do
  rtype check types --format concise           a line a finding
  rtype check types --report sarif=rtype.sarif --report junit=rtype.xml
  rtype check - --stdin-filename types/door.rtype < buffer

`rtype explain CODE` tells what a finding means. `# rtype: allow(CODE, reason = \"…\")` keeps one; docs/linter.md and docs/ci.md
have it all.

Exit status, whatever the format: 0 nothing found but notes, 1 findings, 2 wrong usage or configuration, or a report that cannot be
written";

pub const DESCRIBE: &str = "\
Examples:
  rtype describe --list                  all types, a line each
  rtype describe user                    its attributes and providers
  rtype describe service --providers     which provider works here, and why the others do not
  rtype describe user group --format json
  rtype describe --language strings      what the language has: here the methods of strings

Exit status: 0, or 1 when a type or word is not known or has errors";

pub const EXPLAIN: &str = "\
Examples:
  rtype explain RT012
  rtype explain regex-trailing-newline
  rtype explain --list               all codes, a line each

Exit status: 0, or 2 when there is no such code";

pub const DIFF: &str = "\
Examples:
  rtype diff old/types types                   two directories
  rtype diff --since origin/main types         what this branch changes: for CI
  rtype diff --since v1.2.0 types --format markdown
  rtype diff old.json new.json                 two catalogs, as Puppet compiles them
  rtype diff old.json new.json --ignore 'File[/tmp/*]' --ignore '*[*]::tag'

Blocks are compared by what they say, not by layout. One that is another may break
something: that counts only with `--strict`. Of catalogs everything counts that the machine
would be told otherwise.

Exit status: 0 nothing breaks, 1 something breaks or a version has errors, 2 wrong usage; of
catalogs 0 when they are the same, 1 when they differ, 2 when they cannot be compared";

pub const FMT: &str = "\
Examples:
  rtype fmt                              the types in this directory and below
  rtype fmt --check types                name the files that would change, for CI
  rtype fmt --diff types/motd.rtype      show what would change
  rtype fmt - < types/motd.rtype         standard input to standard output, for editors
  rtype fmt --range 12:1-20:1 types/motd.rtype

In directories files that end in .rtype are formatted. A file of resources (.pp) is if it is
named, and holds nothing but resources.

Exit status: 0, 1 when a file cannot be formatted or, with --check and --diff, would change,
2 wrong usage";

pub const IMPORT: &str = "\
Examples:
  rtype import lib/puppet/type/motd.rb                 the type file, on standard output
  rtype import modules/motd -o types                   types/motd.rtype
  rtype check types                                    what is wrong with it, and what is left in Ruby

The Ruby is read, never run. What has no counterpart stays as `untranslated`, and is told by file, line and reason; reaching it
is an error. Files that are there already are not written again. Providers are not imported.

Exit status: 0 imported, perhaps with something left untranslated, 1 when a file or type cannot be imported, 2 wrong usage";

pub const INSPECT: &str = "\
Examples:
  rtype inspect site.pp
  echo \"user { 'root': shell => '/bin/zsh' }\" | rtype inspect -
  rtype inspect --exit-code catalog.json     2 when something is out of sync

Exit status: 0, 1 when the input cannot be used, 2 as `--exit-code` says";

pub const DOC: &str = "\
Examples:
  rtype doc user                              Markdown of one type
  rtype doc types -o docs/types               a page for each type in a folder
  rtype doc --format html -o site             a site of all types; open site/index.html
  rtype doc --format man -o man7 mount && man -l man7/rtype-mount.7
  rtype doc --cli --format man -o man1        pages for rtype(1) and its verbs

Examples in fenced blocks of `desc` (```puppet, ```json, ```yaml) are checked; one that is
refused is an error.

Exit status: 0, 1 when a type is not known or has errors or a broken example, 2 wrong usage";

pub const LSP: &str = "\
An editor starts this; docs/editors.md says how to set up Neovim, VS Code, Helix and Emacs.

Examples:
  rtype lsp
  rtype --types types lsp        with a directory of types besides those of the opened files

Exit status: 0, or 1 when the client went away without saying so";

pub const PROVIDER: &str = "\
Examples:
  rtype --types types provider test ./lamp.py
  rtype --types types provider test ./lamp.py --resources lamps.pp

The second one brings about the resources of the file, takes them away and brings them about again: run it where that does no
harm. docs/providers.md tells what a program has to do.

Exit status: 0 it keeps to the protocol, 1 it does not, 2 wrong usage";

pub const REPL: &str = "\
Declare a resource and see at once how it stands; `:help` lists the commands.

Examples:
  rtype repl
  rtype repl types/motd.rtype site.pp        the same as `:load` for each
  echo \"user { 'root': uid => 0 }\" | rtype repl

The history is kept in $XDG_STATE_HOME/rtype/history, else ~/.local/state/rtype/history,
readable to you alone; inputs that set a sensitive attribute are not kept.";

pub const RESOURCE: &str = "\
Examples:
  rtype resource host
  rtype resource user root
  rtype resource package --format json
  rtype resource user bob ensure=present groups=[adm,audio]     applies this one resource
  rtype resource service cron ensure=stopped --noop

Exit status: 0, or 1 when something could not be read or changed";

pub const SCHEMA: &str = "\
Examples:
  rtype schema > resources.schema.json        files with resources of all types there are
  rtype schema user group > accounts.json     files with resources of these types and any others
  rtype schema types -o schemas               a file for each type in a folder

What `rtype check` accepts, the schema accepts; what only a block of the type can tell, it leaves out.

Exit status: 0, 1 when a type is not known or has errors, 2 wrong usage";

pub const TEST: &str = "\
Examples:
  rtype test                         the types in this directory and below
  rtype test types/motd.rtype
  rtype test types --filter blank    only tests whose title holds this, or of the type called so

No test looks at this machine.

Exit status: 0 all passed, 1 something failed, 2 wrong usage or no test fits the filter";

pub const COMPLETIONS: &str = "\
Examples:
  rtype completions bash > ~/.local/share/bash-completion/completions/rtype
  rtype completions zsh > ~/.zfunc/_rtype        with ~/.zfunc in $fpath
  rtype completions fish > ~/.config/fish/completions/rtype.fish";
