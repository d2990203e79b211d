#!/usr/bin/env bash
# Measures the reference runs of results/reference anew, on a machine that does nothing else. All but the ablation
# takes a quarter of an hour with two processors, the ablation hours:
#   bench/reference.sh [FOLDER]
# What is there already is left out, and what was stopped goes on. The simulation beside measurements made in the same
# hour, with a profile calibrated then, takes 33 minutes:
#   bench/reference.sh validation
set -euo pipefail
cd "$(dirname "$0")/.."
cmake --preset compare >/dev/null
cmake --build build/compare
if [[ ${1:-} == validation ]]; then
  runs=$PWD/results/reference/2026-11-22/validation
  profile=$PWD/schedulers/virtual_machine/profiles/reference.json
  made=$(mktemp -d)
  program=$PWD/build/compare/stealbench
  # In the folder itself: a raw file has the command, and is not to name a place on this machine.
  cd "$made"
  # All that can be simulated: those that have a unit of work. On what runs on the engine.
  workloads=$("$program" list --json |
    python3 -c 'import json, sys; print(",".join(w["name"] for w in json.load(sys.stdin)["workloads"] if w["unit"]))')
  schedulers=$(ls "${program%/*}" | sed -n 's/^stealbench-simulated-\([a-z-]*\)$/\1/p' | paste -sd ,)
  # All prices come from the standard size, so that the benchmarks of another one are held out: nothing was measured
  # with their parameters. A benchmark that fails gives status 1, and the page lists it.
  "$program" calibrate --workloads "$workloads" --size standard --output reference.json
  "$program" compare --workloads "$workloads" --schedulers "$schedulers" --workers 1,2 --size small --rounds 6 \
    --output . --overwrite >/dev/null || (($? == 1))
  "$program" simulate "$workloads" --schedulers "$schedulers" --workers 1,2 --size small --seeds 3 --no-sensitivity \
    --profile reference.json --output . --overwrite >/dev/null || (($? == 1))
  "$program" simulate --check compare.jsonl --output . --profile reference.json
  for raw in compare simulate; do
    gzip -9 --no-name --stdout $raw.jsonl >"$runs/$raw.jsonl.gz"
  done
  cp reference.json "$profile"
  cd "$OLDPWD"
  rm -r "$made"
  exec bench/write_pages.sh write "$program"
fi
folder=${1:-results/reference/$(date +%F)}

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
measure claims claims
# The four programs of runtime-benchmarks (github.com/tzcnt/runtime-benchmarks), with its parameters.
rows=(--workers 2 --schedulers serial,work-stealing,continuation-stealing,onetbb,rayon --rounds 6)
measure programs/fib compare --workloads fib --set n=39 "${rows[@]}"
measure programs/others compare --workloads skynet,nqueens,matmul "${rows[@]}"
# Small instances but for two: an ablation has as many benchmarks as five comparisons.
sizes=(--size small --size-of fib=standard,uts=standard)
programs=fib,uts,spc,bpc,skewed,spawn
measure ablation compare --ablation --workloads $programs,mergesort "${sizes[@]}" --rounds 6
measure ablation simulate $programs --ablation "${sizes[@]}" --workers 8,64 --no-sensitivity \
  --timeout 900
# Strategies that the prices of sleeping and waking tell apart on every other profile, and where a
# wake-up takes as long as one from the deepest sleep of a processor (schedulers/virtual_machine/findings.md); and
# measured with more workers than processors.
program=$PWD/build/compare/stealbench
machines=$(realpath "$folder")/ablation/machines
mkdir -p "$machines"
# machine NAME EXPERIMENT OPTION...
machine() {
  local made raw=$machines/$1.jsonl.gz
  if [[ -f $raw ]]; then return; fi
  made=$(mktemp -d)
  (cd "$made" && "$program" "${@:2}" "${sizes[@]}" --schedulers "$strategies" --output . --overwrite >/dev/null)
  gzip -9 --no-name --stdout "$made/$2.jsonl" >"$raw"
  rm -r "$made"
}
strategies=work-stealing,work-stealing:idle=yield,work-stealing:searchers=one,work-stealing:deque=chase-lev
strategies+=,continuation-stealing,static-partition
simulated=(simulate $programs --no-sensitivity --timeout 900)
for profile in one-socket-64 one-socket-64-bare two-sockets-32; do
  machine $profile "${simulated[@]}" --workers 8,64 --profile $profile
done
machine two-sockets-32-deep "${simulated[@]}" --workers 8,64 --profile two-sockets-32 --wake 200us
machine reference-256 "${simulated[@]}" --workers 256 --profile reference
machine measured-16 compare --workloads $programs --workers 16 --rounds 6
# Of each folder its report, from all experiments that it holds.
for each in comparison ablation claims; do
  build/compare/stealbench report "$folder/$each" >/dev/null
done
build/compare/stealbench report "$folder"/programs/{fib,others} --output "$folder/programs" >/dev/null
