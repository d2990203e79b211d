#!/usr/bin/env bash
# run.sh [--quick]: installs what is missing, builds the driver and the schedulers that `compare` measures by default, and
# compares them on a sort and on an unbalanced tree: ends with the tables. --quick: builds and compares work stealing and
# oneTBB alone, in a folder of its own, in which these two workloads are the only ones. Other schedulers,
# `compare --ablation` and `simulate` need `cmake --build build/compare`.
set -euo pipefail
cd "$(dirname "$0")/.."
preset=compare
options=()
case "$*" in
  "") ;;
  --quick)
    preset=quick
    options=(--schedulers serial,work-stealing,onetbb --budget 20)
    ;;
  *)
    echo "bench/run.sh: unknown argument '$*'; valid: --quick, or none" >&2
    exit 2
    ;;
esac
.ci/install bench
cmake --preset $preset
cmake --build build/$preset --target comparison
# Not before the compiler, and what else runs here, has stopped.
exec build/$preset/stealbench compare --calm 60 --output build/$preset/comparison "${options[@]}" \
  --workloads mergesort,uts --size-of mergesort=small --set tree=T3
