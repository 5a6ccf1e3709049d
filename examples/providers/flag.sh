#!/bin/sh
# A provider for rtype in POSIX sh and awk: a flag is a file in ~/.config/flags, and its text is why it is up.
#
# rtype sends one object in a line, without blanks between its parts. The names of this type are made of letters, digits and
# dashes, and reasons have no quotes or backslashes, as the type says: so a few patterns take the line apart.
set -u
flags="$HOME/.config/flags"

hello='"protocol":1,"name":"flag","version":"1.0.0","type":"flag","ops":["get","set"],"noop":"none","batch":50,"list":"cheap","features":[],"attributes_read":["ensure","reason"],"attributes_write":["ensure","reason"],"needs":{"commands":["awk","mktemp"],"root":false,"os":[]}'

# The answer to a question: its id and what is said.
answer() {
  printf '{"id":%s,%s}\n' "$id" "$1"
}

refuse() {
  answer "\"error\":{\"kind\":\"$1\",\"msg\":\"$2\",\"retry\":false}"
}

# Prints the given flags that exist, one per argument.
get() {
  all=''
  for name in "$@"; do
    [ -f "$flags/$name" ] || continue
    # The file may contain anything: characters that JSON would need to escape are removed.
    reason=$(head -n 1 "$flags/$name" | LC_ALL=C tr -cd '\40-\176' | tr -d '"\\')
    all="$all${all:+,}{\"name\":\"$name\",\"ensure\":\"present\",\"reason\":\"$reason\"}"
  done
  answer "\"resources\":[$all],\"complete\":true"
}

# Replaces a flag atomically: if this is killed, the old or the new file remains.
write() {
  mkdir -p "$flags" && new=$(mktemp "$flags/.new-XXXXXX") && printf '%s\n' "$2" > "$new" && mv "$new" "$flags/$1"
}

# Brings one flag `up` or `down`, for a reason, and notes the result.
set_one() {
  result='"changed":{},"refresh_done":false,"restart":"none","error":null'
  failed="\"error\":{\"kind\":\"failed\",\"msg\":\"cannot change $flags/$1\",\"retry\":false}"
  if [ "$2" = down ]; then
    if [ -e "$flags/$1" ]; then
      rm "$flags/$1" && result='"changed":{"ensure":{"was":"present","is":"absent"}}' || result=$failed
    fi
  elif [ ! -e "$flags/$1" ] || [ "$(cat "$flags/$1")" != "$3" ]; then
    write "$1" "$3" && result="\"changed\":{\"reason\":{\"was\":null,\"is\":\"$3\"}}" || result=$failed
  fi
  results="$results${results:+,}{\"title\":\"$1\",$result}"
}

# Takes the changes apart: a line each with name, what it is to be, and the reason.
changes() {
  printf '%s\n' "$1" | LC_ALL=C awk '{
    n = split($0, part, "\"namevars\":{")
    for (i = 2; i <= n; i++) {
      name = part[i]; sub(/^.*"name":"/, "", name); sub(/".*$/, "", name)
      if (part[i] ~ /"should":null/) { print name " down"; continue }
      reason = part[i]; sub(/^.*"should":{/, "", reason); sub(/},"attrs".*$/, "", reason)
      if (reason !~ /"reason":"/) reason = ""
      sub(/^.*"reason":"/, "", reason); sub(/".*$/, "", reason)
      print name " up " reason
    }
  }'
}

while IFS= read -r line; do
  id=$(printf '%s\n' "$line" | LC_ALL=C sed -n 's/^{"id":\([0-9]*\),"op":"\([a-z_]*\)".*}$/\1 \2/p')
  op=${id#* } id=${id%% *}
  case $op in
    hello) answer "$hello" ;;
    get)
      case $line in
        *'"names":null'*) names=$(ls "$flags" 2>/dev/null) ;;
        *) names=$(printf '%s\n' "$line" | tr ',' '\n' | LC_ALL=C sed -n 's/.*"name":"\([a-zA-Z0-9-]*\)".*/\1/p') ;;
      esac
      # Names have no blanks: each is a word.
      get $names
      ;;
    set)
      results=''
      while read -r name how reason; do
        [ -n "$name" ] && set_one "$name" "$how" "$reason"
      done <<END
$(changes "$line")
END
      answer "\"results\":[$results]"
      ;;
    '') id=${id:-null} && refuse invalid "this is not a request" ;;
    *) refuse unsupported "unknown operation $op" ;;
  esac
done
