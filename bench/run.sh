#!/usr/bin/env bash
# run.sh [--all]: installs what is missing, builds work stealing, static partitioning, oneTBB, OpenMP and the serial
# elision, compares them on a sort and an unbalanced tree search, and ends with the tables. --all: the preset `compare`:
# the nine schedulers of the README's table, rayon and LLVM's OpenMP among them, built with all workloads.
set -euo pipefail
cd "$(dirname "$0")/.."
case "$*" in
  "") ;;
  --all)
    .ci/install bench openmp-llvm rayon
    exec cmake --workflow --preset compare
    ;;
  --help | -h)
    sed -n '2,4s/^# //p' "$0"
    exit
    ;;
  *)
    echo "bench/run.sh: unknown argument '$*'; valid: --all, --help, or none" >&2
    exit 2
    ;;
esac
.ci/install bench
cmake --preset compare -D "STEALBENCH_SCHEDULERS=serial;work-stealing;static-partition;onetbb;openmp" \
  -D "STEALBENCH_WORKLOADS=mergesort;uts"
cmake --build build/compare --target comparison
# Not before the compiler, and what else runs here, has stopped; also where one was interrupted before.
exec build/compare/stealbench compare --calm 60 --overwrite --output build/compare/comparison --budget 45 \
  --workloads mergesort,uts --size-of mergesort=small --set tree=T3
