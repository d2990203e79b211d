#!/usr/bin/env bash
# Counts the instructions of a fork and its join, and compares with what is on record:
#   check.sh VALGRIND PROGRAM RECORD
# Instructions are the same on every run and every machine, whatever else it does; time is not. The
# difference of two sizes leaves start-up out.
set -euo pipefail
instructions() {
  local report
  report=$("$1" --tool=callgrind --callgrind-out-file=/dev/null "$2" "$3" 2>&1 >/dev/null) || true
  sed -n 's/.*Collected : \([0-9]*\).*/\1/p' <<<"$report" | grep . || { echo "callgrind has failed: $report" >&2; exit 1; }
}
small=$(instructions "$1" "$2" 20)
large=$(instructions "$1" "$2" 25)
# fib(n + 1) - 1 forks each: 10945 and 121392.
hundredths=$(((large - small) * 100 / (121392 - 10945)))
recorded=$(grep -m 1 '^[0-9]' "$3")
echo "instructions per fork and join, in hundredths: $hundredths; on record: $recorded"
if ((hundredths * 100 > recorded * 102)); then
  echo "A fork takes more instructions than on record."
  exit 1
elif ((hundredths * 100 < recorded * 98)); then
  echo "A fork takes fewer instructions than on record: write the new figure into $3."
  exit 1
fi
