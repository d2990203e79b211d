#!/usr/bin/env bash
# write_block.sh BLOCK FILE COMMAND...: writes what the command prints into the file, between the two marks of the block.
set -euo pipefail
block=$(mktemp)
trap 'rm -f "$block" "$block.new"' EXIT
"${@:3}" >"$block"
awk -v name="$1" -v block="$block" '
  !inside { print }
  $0 == "<!-- " name ": written by the target of this name -->" {
    inside = 1
    print ""
    while ((getline line < block) > 0) print line
    print ""
  }
  $0 == "<!-- end of " name " -->" && inside { inside = 0; found = 1; print }
  END { exit !found }' "$2" >"$block.new" ||
  { echo "$2 lacks the marks of the block $1" >&2; exit 1; }
cat "$block.new" >"$2"
