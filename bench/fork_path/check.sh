#!/usr/bin/env bash
# Counts the instructions of a fork and its join, or of a child, and compares with what is on record:
#   check.sh VALGRIND PROGRAM fork|spawn COMPILER HUNDREDTHS
# Instructions are the same on every run and every machine, whatever else it does; time is not. The
# difference of two sizes leaves start-up out.
set -euo pipefail
valgrind=$1 program=$2 path=$3 compiler=$4 recorded=$5
# fib(n + 1) - 1 forks each: 10945 and 121392. 10 + 100 + ... children each: 1110 and 111110.
small=20 large=25 more=$((121392 - 10945))
[ "$path" = fork ] || small=1000 large=100000 more=$((111110 - 1110))
instructions() { # SIZE
  local report
  report=$("$valgrind" --tool=callgrind --callgrind-out-file=/dev/null "$program" "$path" "$1" 2>&1 >/dev/null) || true
  sed -n 's/.*Collected : \([0-9]*\).*/\1/p' <<<"$report" | grep . || { echo "callgrind has failed: $report" >&2; exit 1; }
}
few=$(instructions "$small")
many=$(instructions "$large")
hundredths=$(((many - few) * 100 / more))
echo "instructions of a $path by $compiler, in hundredths: $hundredths; on record: $recorded"
if ((hundredths * 100 > recorded * 102)); then
  echo "It takes more instructions than on record."
  exit 1
elif ((hundredths * 100 < recorded * 98)); then
  echo "It takes fewer instructions than on record: write the new figure into bench/fork_path/instructions.txt."
  exit 1
fi
