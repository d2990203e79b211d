#!/usr/bin/env bash
# check.sh accepts what is within 2 % of the record, and nothing else. What counts here is planted.
set -euo pipefail
folder=$(cd "$(dirname "$0")" && pwd)
made=$(mktemp -d)
trap 'rm -r "$made"' EXIT
cat >"$made/counts" <<'COUNTS'
#!/bin/sh
# Counts FIGURE hundredths of an instruction for each of the forks between n=20 and n=25.
[ "$FIGURE" ] || exit 1
[ "$4" = 20 ] && echo "Collected : 5000" >&2
[ "$4" = 25 ] && echo "Collected : $((5000 + (110447 * FIGURE + 99) / 100))" >&2
COUNTS
chmod +x "$made/counts"
printf '# hundredths\n1000\n' >"$made/record"
for figure in 980 1000 1020; do
  FIGURE=$figure "$folder/check.sh" "$made/counts" program "$made/record"
done
for figure in 979 1021 ''; do
  if FIGURE=$figure "$folder/check.sh" "$made/counts" program "$made/record"; then
    echo "accepted: '$figure'" >&2
    exit 1
  fi
done
