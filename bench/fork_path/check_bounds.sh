#!/usr/bin/env bash
# check.sh accepts what is within 2 % of the record, and nothing else. What counts here is planted.
set -euo pipefail
folder=$(cd "$(dirname "$0")" && pwd)
made=$(mktemp -d)
trap 'rm -r "$made"' EXIT
cat >"$made/counts" <<'COUNTS'
#!/bin/sh
# Counts FIGURE hundredths of an instruction for each of the forks between n=20 and n=25, or of the children.
[ "$FIGURE" ] || exit 1
case "$4 $5" in
  'fork 20' | 'spawn 1000') echo "Collected : 5000" >&2 ;;
  'fork 25') echo "Collected : $((5000 + (110447 * FIGURE + 99) / 100))" >&2 ;;
  'spawn 100000') echo "Collected : $((5000 + (110000 * FIGURE + 99) / 100))" >&2 ;;
esac
COUNTS
chmod +x "$made/counts"
for path in fork spawn; do
  for figure in 980 1000 1020; do
    FIGURE=$figure "$folder/check.sh" "$made/counts" program "$path" compiler 1000
  done
  for figure in 979 1021 ''; do
    if FIGURE=$figure "$folder/check.sh" "$made/counts" program "$path" compiler 1000; then
      echo "accepted: '$figure'" >&2
      exit 1
    fi
  done
done
