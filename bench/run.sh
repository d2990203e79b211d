#!/usr/bin/env bash
# Installs what is missing, builds all schedulers, and compares them: ends with the tables. Then builds the other
# deques of work stealing, which the comparison does not run.
set -euo pipefail
cd "$(dirname "$0")/.."
.ci/install
cmake --preset compare
cmake --build build/compare --target comparison
status=0
build/compare/stealbench compare --output build/compare/comparison || status=$?
echo "Building what else can be compared (stealbench compare --ablation)."
cmake --build build/compare >build/compare/rest.log || { cat build/compare/rest.log; exit 1; }
exit $status
