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

# ... | write_block BLOCK PAGE
write_block() {
  local block=$1 page=$2
  mkdir -p "$(dirname "$new/pages/$page")"
  cat >"$new/block"
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
"$stealbench" list --markdown | write_block catalogue workloads/catalogue.md
# Its table lacks these two in any case.
lacking=$("$stealbench" list schedulers --json | python3 -c 'import json, sys
print(*set(json.load(sys.stdin)["not_built"]) - {"taskflow", "parlay"})')
if [[ $lacking ]]; then
  echo "schedulers/strategies.md is left as it is, since these are not built here: $lacking"
else
  # Values that an earlier scheduler has with the same words are named in one row.
  "$stealbench" list schedulers --markdown | awk -F '\\|' '
    function name_settings() {
      if (settings) print "| " settings " | the values of `" first "` |  |  |"
      settings = ""
    }
    /^\| \*\*/ { name_settings(); scheduler = $2; gsub(/[*` ]/, "", scheduler); print; next }
    /^\| `/ && $0 in owner {
      setting = $2
      sub(/=.*/, "=`", setting)
      gsub(/^ */, "", setting)
      if (owner[$0] != first) name_settings()
      first = owner[$0]
      if (index(settings, setting) == 0) settings = settings (settings ? ", " : "") setting
      next
    }
    { name_settings(); if (/^\| `/) owner[$0] = scheduler; print }
    END { name_settings() }' | write_block strategies schedulers/strategies.md
fi
"$stealbench" report --summary "$runs/comparison/compare.jsonl.gz" | write_block reference README.md

# Of the validation the page has the totals and what is worst; every benchmark is data beside it.
machine=schedulers/virtual_machine
mkdir -p "$new/pages/$machine"
"$stealbench" simulate --check "$runs/validation" --output "$runs/validation" --markdown >"$new/validation"
awk -F ' *[|] *' -v OFS='\t' '
  function in_seconds(time) {
    if (!match(time, /(s|ms|µs|ns)$/)) { print "No unit of time: " time >"/dev/stderr"; exit 1 }
    return time * unit[substr(time, RSTART)]
  }
  BEGIN {
    unit["s"] = 1; unit["ms"] = 1e-3; unit["µs"] = 1e-6; unit["ns"] = 1e-9
    print "workload", "scheduler", "workers", "measured_s", "simulated_s", "error_%", "waiting_%", "price_of_a_unit_from"
  }
  /^### Every benchmark/ { inside = 1 }
  inside && NF == 10 && ++line > 2 {
    for (column = 7; column <= 8; column++) sub(/[^0-9]*%$/, "", $column)
    print $2, $3, $4, in_seconds($5), in_seconds($6), $7, $8, $9
  }' "$new/validation" >"$new/pages/$machine/validation.tsv"
{
  sed '/^## Errors by benchmark/,$d; /^|.*, 1 worker /d' "$new/validation" # With 1 worker the schedulers are alike.
  printf '%s\n\n' "### Workloads with a benchmark that is off by a factor above 1.5"
  printf '%s\n' "| workload | benchmarks | contended | least simulated ÷ measured | greatest |" "|---|--:|--:|--:|--:|"
  awk -F '\t' 'NR > 1 {
    quotient = $5 / $4
    if (!benchmarks[$1]++ || quotient < least[$1]) least[$1] = quotient
    if (quotient > greatest[$1]) greatest[$1] = quotient
    contended[$1] += $7 > 10
  }
  END {
    for (workload in benchmarks) {
      factor = greatest[workload] * least[workload] > 1 ? greatest[workload] : 1 / least[workload]
      if (factor > 1.5)
        printf "%.3f\t| %s | %s | %s | %.2f | %.1f |\n", factor, workload, benchmarks[workload], contended[workload], least[workload], greatest[workload]
    }
  }' "$new/pages/$machine/validation.tsv" | LC_ALL=C sort -rn | cut -f 2
} | write_block validation $machine/validation.md

# Leaves to the command what the raw file says of the machine and the build, and of a claim what the table above has.
shorten() {
  sed -E 's/^- \*\*([0-9]+)\. .*\*\*: (holds|does not hold|undecided)[^.]*\. /- **\1.** /' | awk -v run="$1" '
    /^## (The machine|Provenance)$/ {
      if (!is_left_out) print "The machine, the build, and how each value was measured: `stealbench report " run " --output FOLDER`."
      is_left_out = 1
    }
    !is_left_out { print }'
}
"$stealbench" report "$runs"/programs/{fib,others} --output "$new/runs/programs" >/dev/null
for run in comparison ablation claims; do
  "$stealbench" report "$runs/$run" --plots --output "$new/runs/$run" >/dev/null
done
# The two longest tables of the ablation are data beside its page.
tables_as_data() {
  mkdir -p "$new/pages/$1"
  awk -v folder="$new/pages/$1" '
    /^##/ { name = "" }
    /^### Regret:/ { name = "regret" }
    /^### variants:/ { name = "variants" }
    name && /^\|/ {
      if (!count[name]++) print "[" name ".tsv](" name ".tsv) has a row for each strategy."
      if (/^\| *:?-/) next
      gsub(/^\| *| *\|$/, "")
      gsub(/ *\| */, "\t")
      print >(folder "/" name ".tsv")
      next
    }
    { print }
    END { if (!count["regret"] || !count["variants"]) { print "The ablation lacks a table" >"/dev/stderr"; exit 1 } }'
}
# Of the claims the page has the verdicts; the values that decide are data, and in the reasons.
values_as_data() {
  mkdir -p "$new/pages/$1"
  awk -v file="$new/pages/$1/verdicts.tsv" '
    !/^\|/ || is_told {
      if (rows && !is_told++) print "\n[verdicts.tsv](verdicts.tsv) also has the value that decides, with its bound and its interval."
      print
      next
    }
    { whole = $0; sub(/\| [^|]*\|$/, "|"); print; rows++ }
    whole !~ /^\| *:?-/ { gsub(/^\| *| *\|$/, "", whole); gsub(/ *\| */, "\t", whole); print whole >file }
    END { if (!rows) { print "The claims lack their table" >"/dev/stderr"; exit 1 } }'
}
(cd "$runs" && find comparison ablation claims programs -name '*.md' -o -name '*.csv' -o -name '*.svg') |
  while read -r file; do
    if [[ $mode == check && $file == *.svg ]]; then continue; fi
    mkdir -p "$(dirname "$new/pages/$runs/$file")"
    folder=$runs/${file%/*}
    if [[ $file == programs/* ]]; then folder+="/{fib,others}"; fi
    shorten "$folder" <"$new/runs/$file" >"$new/short"
    case $file in
      ablation/ablation.md) tables_as_data "$runs/ablation" ;;
      claims/claims.md) values_as_data "$runs/claims" ;;
      programs/report.md) sed '/^### Rank/,$d' ;; # The times and their intervals say as much.
      *) cat ;;
    esac <"$new/short" >"$new/pages/$runs/$file"
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
