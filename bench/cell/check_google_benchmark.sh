#!/usr/bin/env bash
# check_google_benchmark.sh EXECUTABLE: Google Benchmark's own tool compares what two processes wrote.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for name in a b; do
  "$1" --workload fib --size test --benchmark_min_time=0 --benchmark_out="$folder/$name" >/dev/null
done
compare() { /usr/bin/python3 /usr/share/benchmark/compare.py benchmarks "$folder/a" "$folder/$1"; }
compare b | grep -F fib/serial/n:20/workers:1/manual_time
echo "{}" >"$folder/other"
if compare other 2>/dev/null; then echo "it takes any file" >&2; exit 1; fi
