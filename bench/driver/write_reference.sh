#!/usr/bin/env bash
# write_reference.sh STEALBENCH RUNS: writes anew the tables and plots that are committed beside the raw files of the
# reference runs.
set -euo pipefail
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
for run in comparison ablation; do
  "$1" report "$2/$run" --plots --output "$made/$run" >/dev/null
  (cd "$2" && find "$run" -name '*.md' -o -name '*.csv' -o -name '*.svg') | while read -r file; do
    cmp -s "$made/$file" "$2/$file" || cp "$made/$file" "$2/$file"
  done
done
