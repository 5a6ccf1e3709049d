#!/bin/sh
# A Bolt task: applies `resources` with rtype, and answers with the lines of its report as one JSON object. Needs grep and awk.
PATH=$PATH:/usr/local/bin:/usr/bin:/bin

# Prints each member of JSON objects as a line: the name, and the value, or how an array or object begins. An object ends with an empty line.
members() {
  LC_ALL=C grep -oE '"([^"\\]|\\.)*"|[][{}]|[^][{}",:[:space:]]+' | LC_ALL=C awk '
    /^[]}]/ { if (--depth == 0) print "" }
    depth == 1 && /^[^]}]/ { if (name == "") name = $0; else { print name, $0; name = "" } }
    /^[[{]/ { depth++ }'
}

# Prints why resources failed or were skipped, as the contents of a JSON string.
reasons() {
  members | LC_ALL=C awk '
    BEGIN { ORS = "\\n" }
    { at = index($0, " "); line[substr($0, 1, at - 1)] = substr($0, at + 1) }
    function text(name) { return substr(line[name], 2, length(line[name]) - 2) }
    $0 == "" {
      why = ""
      if (text("\"kind\"") == "event" && text("\"status\"") == "failure") why = text("\"message\"")
      if (text("\"kind\"") == "resource") why = text("\"why\"")
      if (why != "") print text("\"resource\"") ": " why
      split("", line)
    }'
}

# Escapes text for a JSON string.
escaped() { tr '\t' ' ' | tr -d '\000-\011\013-\037' | sed 's/\\/\\\\/g; s/"/\\"/g' | awk 'BEGIN { ORS = "\\n" } { print }'; }

# fail KIND MESSAGE [LINES]: the message and the lines are JSON already.
fail() {
  printf '{"_error": {"kind": "rtype/%s", "msg": "%s", "details": {"status": %s}}, "lines": [%s]}\n' "$1" "$2" "$status" "${3-}"
  exit "$status"
}

status=1
input=$(cat)
given=$(printf '%s' "$input" | members)
set -- --color never --format json
case $given in *'"resources" '*) ;; *) fail parameters 'the parameter `resources` is missing; parameters are read from standard input' ;; esac
# A resource with `noop => false` is not changed either.
case $given in *'"_noop" true'*) set -- "$@" --noop --noop-all ;; esac
# `resources` is declared as sensitive, so the result does not show its values either.
case $given in *'"sensitive" false'*) ;; *) set -- "$@" --sensitive ;; esac
command -v rtype >/dev/null || fail missing 'rtype is not installed on the target'

errors=$(mktemp) || fail failed 'cannot create a temporary file'
trap 'rm -f "$errors"' EXIT
lines=$(printf '%s' "$input" | rtype apply - "$@" 2>"$errors")
status=$?
joined=$(printf '%s' "$lines" | paste -sd, -)
[ $status = 0 ] || fail failed "rtype failed with status $status\\n$(printf '%s\n' "$lines" | reasons)$(escaped <"$errors")" "$joined"
printf '{"lines": [%s]}\n' "$joined"
