#!/usr/bin/env bash
# run.sh [--quick]: installs what is missing, builds the driver and the schedulers that `compare` measures by default, and
# compares them on a sort and on an unbalanced tree: ends with the tables. --quick: work stealing and oneTBB alone. Other
# schedulers, `compare --ablation` and `simulate` need `cmake --build build/compare`.
set -euo pipefail
cd "$(dirname "$0")/.."
targets=(comparison) schedulers=()
case "$*" in
  "") ;;
  --quick)
    targets=(stealbench stealbench-serial stealbench-work-stealing stealbench-onetbb)
    schedulers=(--schedulers serial,work-stealing,onetbb)
    ;;
  *)
    echo "bench/run.sh: unknown argument '$*'; valid: --quick, or none" >&2
    exit 2
    ;;
esac
.ci/install
cmake --preset compare
cmake --build build/compare --target "${targets[@]}"
# Not before the compiler, and what else runs here, has stopped.
exec build/compare/stealbench compare --calm 60 --output build/compare/comparison "${schedulers[@]}" \
  --workloads mergesort,uts --size-of mergesort=small --set tree=T3
