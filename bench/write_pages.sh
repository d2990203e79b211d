#!/usr/bin/env bash
# write_pages.sh write | check STEALBENCH: writes what pages have from elsewhere, or says what is out of date: blocks between
# two marks, each what a command of stealbench prints, and the tables and plots that are committed beside the raw files of
# the reference runs. Versions of matplotlib draw differently: plots are not checked.
set -euo pipefail
cd "$(dirname "$0")/.."
mode=$1 stealbench=$2
runs=results/reference/2026-11-22
new=$(mktemp -d)
trap 'rm -rf "$new"' EXIT

# write_block BLOCK PAGE OPTION...
write_block() {
  local block=$1 page=$2
  mkdir -p "$(dirname "$new/pages/$page")"
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
    END { exit !found }' "$page" >"$new/pages/$page" ||
    { echo "$page lacks the marks of the block $block" >&2; exit 1; }
}
write_block catalogue workloads/catalogue.md list --markdown
# Its table lacks these two in any case.
lacking=$("$stealbench" list schedulers --json | python3 -c 'import json, sys
print(*set(json.load(sys.stdin)["not_built"]) - {"taskflow", "parlay"})')
if [[ $lacking ]]; then
  echo "The strategies in schedulers/README.md are left as they are, since these are not built here: $lacking"
else
  write_block strategies schedulers/README.md list schedulers --markdown
fi
write_block validation schedulers/virtual_machine/validation.md \
  simulate --check "$runs/validation" --output "$runs/validation" --markdown
write_block reference README.md report --summary "$runs/comparison/compare.jsonl.gz"

"$stealbench" report "$runs"/programs/{fib,others} --output "$new/runs/programs" >/dev/null
for run in comparison ablation claims; do
  "$stealbench" report "$runs/$run" --plots --output "$new/runs/$run" >/dev/null
done
(cd "$runs" && find comparison ablation claims programs -name '*.md' -o -name '*.csv' -o -name '*.svg') |
  while read -r file; do
    if [[ $mode == check && $file == *.svg ]]; then continue; fi
    mkdir -p "$(dirname "$new/pages/$runs/$file")"
    cp "$new/runs/$file" "$new/pages/$runs/$file"
  done

status=0
cd "$new/pages"
while read -r page; do
  if cmp -s "$page" "$OLDPWD/$page"; then continue; fi
  if [[ $mode == write ]]; then
    cp "$page" "$OLDPWD/$page"
  else
    diff -u "$OLDPWD/$page" "$page" | head -n 20
    echo "$page is out of date; renew it: cmake --build --preset verify --target pages" >&2
    status=1
  fi
done < <(find . -type f)
exit $status
