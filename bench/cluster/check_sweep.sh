#!/usr/bin/env bash
# check_sweep.sh STEALBENCH: a sweep by mpirun; four ranks give the tables of one process.
set -euo pipefail
stealbench=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

simulate=("$stealbench" simulate "fib,uts,spc" --size test --scheduler work-stealing --workers 1,8)
"${simulate[@]}" --output alone >/dev/null
mpirun -n 4 --oversubscribe --bind-to none "${simulate[@]}" --output parts
"$stealbench" report parts/rank-* --output parts >/dev/null
cmp alone/simulate.csv parts/simulate.csv
# In one order, and without what the clock says.
lines() { sed -E 's/"(date|command)":"[^"]*"//g; s/"(spent|host)_seconds":[^,}]*//g' "$1" | sort; }
cmp <(lines alone/simulate.jsonl) <(lines parts/simulate.jsonl)
