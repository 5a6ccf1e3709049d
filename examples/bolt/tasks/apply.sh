#!/bin/sh
# A Bolt task: applies `resources` and answers with what happened, as one JSON object. The parameters are what rtype reads; Bolt's own
# begin with `_`.
PATH=/usr/local/bin:/usr/bin:/bin:$PATH
input=$(cat)
noop=
# Within a string the quotes would have backslashes.
case $input in *'"_noop":true'* | *'"_noop": true'*) noop=--noop ;; esac
if ! command -v rtype >/dev/null; then
  echo '{"_error": {"kind": "rtype/missing", "msg": "rtype is not installed on the target", "details": {}}}'
  exit 1
fi
errors=$(mktemp) || exit 1
trap 'rm -f "$errors"' EXIT
lines=$(printf '%s' "$input" | rtype apply - --format json $noop 2>"$errors")
status=$?
lines=$(printf '%s' "$lines" | grep '^{' | paste -sd, -)
if [ $status = 0 ]; then
  printf '{"lines": [%s]}\n' "$lines"
else
  # Text for JSON: without control characters, quotes and backslashes escaped.
  text=$(tr '\n\t' '  ' <"$errors" | tr -d '\000-\037' | sed 's/\\/\\\\/g; s/"/\\"/g')
  printf '{"_error": {"kind": "rtype/failed", "msg": "rtype failed with status %s. %s", "details": {"status": %s}}, "lines": [%s]}\n' \
    "$status" "$text" "$status" "$lines"
fi
exit $status
