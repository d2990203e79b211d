#!/usr/bin/env bash
# write_pages.sh STEALBENCH ROOT RUNS: writes what pages have from elsewhere: blocks between two marks, each what a command
# of stealbench prints, and the tables and plots that are committed beside the raw files of the reference runs.
set -euo pipefail
stealbench=$1 root=$2 runs=$3
new=$(mktemp -d)
trap 'rm -rf "$new"' EXIT

# write_block BLOCK PAGE OPTION...
write_block() {
  local block=$1 page=$root/$2
  "$stealbench" "${@:3}" >"$new/block"
  awk -v name="$block" -v block="$new/block" '
    !inside { print }
    $0 == "<!-- " name ": written by the target pages -->" {
      inside = 1
      print ""
      while ((getline line < block) > 0) print line
      print ""
    }
    $0 == "<!-- end of " name " -->" && inside { inside = 0; found = 1; print }
    END { exit !found }' "$page" >"$new/page" ||
    { echo "$page lacks the marks of the block $block" >&2; exit 1; }
  cat "$new/page" >"$page"
}
write_block catalogue workloads/catalogue.md list --markdown
write_block strategies schedulers/README.md list schedulers --markdown
write_block validation schedulers/virtual_machine/validation.md validate "$runs/validation" "$runs/validation" --markdown
write_block reference README.md report --summary "$runs/comparison/compare.jsonl.gz"

"$stealbench" merge "$runs"/programs/{fib,others} --output "$new/programs" >/dev/null
for run in comparison ablation claims programs; do
  [[ -d $new/$run ]] || "$stealbench" report "$runs/$run" --plots --output "$new/$run" >/dev/null
  (cd "$runs" && find "$run" -name '*.md' -o -name '*.csv' -o -name '*.svg') | while read -r file; do
    cmp -s "$new/$file" "$runs/$file" || cp "$new/$file" "$runs/$file"
  done
done
