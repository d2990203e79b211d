#!/usr/bin/env bash
# Installs what is missing, builds everything, runs every test and the model checker.
set -euo pipefail
cd "$(dirname "$0")/.."
.ci/install
exec cmake --workflow --preset verify
