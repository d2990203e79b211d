#!/usr/bin/env bash
# Installs what is missing, then builds and runs the tests labelled quick or long and the model checker.
set -euo pipefail
cd "$(dirname "$0")/.."
.ci/install bench verify
exec cmake --workflow --preset verify
