#!/usr/bin/env bash
# Installs what is missing, builds the driver and the schedulers that `compare` measures by default, and compares them
# on a sort and on an unbalanced tree: ends with the tables. Other schedulers, `compare --ablation` and `simulate` need
# `cmake --build build/compare`.
set -euo pipefail
cd "$(dirname "$0")/.."
.ci/install
cmake --preset compare
cmake --build build/compare --target comparison
# Not before the compiler, and what else runs here, has stopped.
exec build/compare/stealbench compare --calm 60 --output build/compare/comparison \
  --workloads mergesort,uts --size-of mergesort=small --set tree=T3
