"""Puts many mutants into one copy of the sources: a function that has mutants gets one body for each, and the environment selects one."""
import json, pathlib, re, shutil, subprocess

CRATES = ["lang", "model", "provider", "engine"]

# In each crate, because the lowest one is not a place for what only this script needs.
SWITCH = """

/// Which mutant runs.
#[allow(missing_docs, dead_code, clippy::all, clippy::disallowed_methods)]
pub mod mutant_switch {
    use std::sync::OnceLock;
    use std::sync::atomic::{AtomicBool, Ordering};
    static CHOSEN: OnceLock<u32> = OnceLock::new();
    static SEEN: [AtomicBool; 8192] = [const { AtomicBool::new(false) }; 8192];
    #[inline]
    pub fn is(number: u32) -> bool {
        let chosen = *CHOSEN.get_or_init(|| match std::env::var("RTYPE_MUTANT").as_deref() {
            Ok("record") => u32::MAX,
            Ok(number) => number.parse().unwrap_or(0),
            Err(_) => 0,
        });
        if chosen == u32::MAX && !SEEN[number as usize].swap(true, Ordering::Relaxed) {
            if let Ok(directory) = std::env::var("RTYPE_MUTANTS_SEEN") {
                let _ = std::fs::write(format!("{directory}/{number}"), "");
            }
        }
        chosen == number
    }
}
"""


def offset(lines, place):
    return lines[place["line"] - 1] + place["column"] - 1


def line_starts(text):
    return [0] + [m.end() for m in re.finditer("\n", text)]


QUOTED = re.compile(
    r"""//[^\n]*|b?r(?P<hash>\#*)"[\s\S]*?"(?P=hash)|b?c?"(?:[^"\\]|\\[\s\S])*"|b?'(?:[^'\\\n]|\\x..|\\u\{[^}]*\}|\\.)'|/\*[\s\S]*?\*/|[{}]|\b[A-Za-z_]\w*""")


def body(text, start, end):
    """The offsets inside the braces of the function that ends at `end`."""
    open_at = []
    for token in QUOTED.finditer(text, start, end):
        if token.group() == "{":
            open_at.append(token.end())
        elif token.group() == "}":
            begun = open_at.pop()
            if token.end() == end:
                return begun, token.start()
    raise ValueError("no body")


def is_eligible(mutant, text, lines):
    """Constant functions run in the compiler, where the environment selects nothing."""
    if not mutant["function"]:
        return False
    span = mutant["function"]["span"]
    begun = offset(lines, span["start"])
    head = text[begun:text.find("{", begun)]
    return not re.search(r"\bconst\s+(unsafe\s+)?fn\b", head)


def eligible(root, mutants):
    cache, found = {}, []
    for mutant in mutants:
        if mutant["file"] not in cache:
            text = (root / mutant["file"]).read_text()
            cache[mutant["file"]] = (text, line_starts(text))
        if is_eligible(mutant, *cache[mutant["file"]]):
            found.append(mutant)
    return found


def render(text, mutants):
    """The text with all of its mutants, and the range of lines of each mutated body: [(first, last, number)]."""
    lines = line_starts(text)
    functions = {}
    for mutant in mutants:
        span = mutant["function"]["span"]
        key = (offset(lines, span["start"]), offset(lines, span["end"]))
        functions.setdefault(key, []).append(mutant)
    # From the last function to the first, so that offsets stay valid; of nested functions, the inner one first and unmutated elsewhere.
    edits = []
    for (start, end), those in functions.items():
        begun, ended = body(text, start, end)
        edits.append((begun, ended, those))
    edits.sort(key=lambda e: (-e[0], e[1]))
    inner = [e for e in edits if not any(o is not e and o[0] <= e[0] and e[1] <= o[1] for o in edits)]
    nested = [m for e in edits if e not in inner for m in e[2]]
    for begun, ended, those in inner:
        parts = []
        for mutant in those:
            first, last = offset(lines, mutant["span"]["start"]), offset(lines, mutant["span"]["end"])
            changed = text[begun:first] + " " + mutant["replacement"] + " " + text[last:ended]
            parts.append(f"if crate::mutant_switch::is({mutant['number']}) {{ /*<{mutant['number']}*/{changed}\n/*{mutant['number']}>*/ }} else ")
        text = text[:begun] + "\n" + "".join(parts) + "{" + text[begun:ended] + "}\n" + text[ended:]
    ranges = []
    for mark in re.finditer(r"/\*<(\d+)\*/", text):
        number = mark.group(1)
        stop = text.index(f"/*{number}>*/", mark.end())
        ranges.append((text.count("\n", 0, mark.start()) + 1, text.count("\n", 0, stop) + 1, int(number)))
    return text, ranges, nested


def write(path, text):
    """Writes what has changed only: Cargo looks at times."""
    data = text if isinstance(text, bytes) else text.encode()
    if not path.is_file() or path.read_bytes() != data:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def plant(root, tree, mutants):
    """Copies the sources to `tree`, with the mutants in them. Returns the ranges of lines per file."""
    by_file, ranges, nested = {}, {}, []
    for mutant in mutants:
        by_file.setdefault(mutant["file"], []).append(mutant)
    names = subprocess.run(["git", "ls-files", "-z"], cwd=root, capture_output=True, check=True).stdout.decode().split("\0")
    for name in filter(None, names):
        source, target = root / name, tree / name
        if source.is_symlink():
            target.parent.mkdir(parents=True, exist_ok=True)
            target.unlink(missing_ok=True)
            target.symlink_to(source.readlink())
            continue
        if not source.is_file():
            continue
        data = source.read_bytes()
        if name in by_file:
            data, ranges[name], skipped = render(data.decode(), by_file[name])
            nested += skipped
        if name in {f"crates/{crate}/src/lib.rs" for crate in CRATES}:
            data = (data.decode() if isinstance(data, bytes) else data) + SWITCH
        write(target, data)
        shutil.copymode(source, target)
    return ranges, nested


def refused(messages, ranges):
    """The mutants that the compiler refuses, and whether there are errors elsewhere."""
    numbers, others = set(), []
    for line in messages.splitlines():
        if not line.startswith("{"):
            continue
        record = json.loads(line)
        message = record.get("message") or {}
        if record.get("reason") != "compiler-message" or message.get("level") != "error" or not message.get("spans"):
            continue
        hit = set()
        spans = message["spans"] + [s for child in message.get("children", []) for s in child.get("spans", [])]
        for span in spans:
            for first, last, number in ranges.get(span["file_name"], []):
                if span["is_primary"] and first <= span["line_start"] and span["line_end"] <= last:
                    hit.add(number)
        numbers |= hit
        if not hit:
            others.append(message.get("rendered", ""))
    return numbers, others
