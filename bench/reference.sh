#!/usr/bin/env bash
# Measures the reference runs of results/reference anew, on a machine that does nothing else. All but the ablation
# takes a quarter of an hour with two processors, the ablation hours:
#   bench/reference.sh [FOLDER]
# What is there already is left out, and what was stopped goes on.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=${1:-results/reference/$(date +%F)}
cmake --preset compare >/dev/null
cmake --build build/compare

# measure FOLDER EXPERIMENT OPTION...
measure() {
  local output=$folder/$1 raw=$folder/$1/$2.jsonl
  if [[ -f $raw.gz ]]; then return; fi
  if [[ -f $raw ]]; then set -- "$1" "$2" --resume; fi
  echo "== $output: ${*:2}"
  if ! grep -qs '^{"type":"finished"' "$raw"; then
    build/compare/stealbench "${@:2}" --output "$output" >/dev/null
  fi
  gzip -9 --no-name "$raw"
}
measure comparison compare --workloads fib,mergesort,uts --workers 1,2 --rounds 6
measure comparison grain mergesort --budget 40
measure comparison metg --budget 90
measure comparison micro --budget 60
# Small instances but for two: an ablation has as many benchmarks as five comparisons.
sizes=(--size small --size-of fib=standard,uts=standard)
measure ablation compare --ablation --workloads fib,mergesort,uts,spc,bpc,skewed,spawn "${sizes[@]}" --rounds 6
measure ablation simulate fib,uts,spc,bpc,skewed,spawn --ablation "${sizes[@]}" --workers 8,64 --no-sensitivity \
  --timeout 900
# Of each folder its report, from all experiments that it holds.
for each in comparison ablation; do
  build/compare/stealbench report "$folder/$each" >/dev/null
done
