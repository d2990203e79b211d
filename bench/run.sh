#!/usr/bin/env bash
# Installs what is missing, builds all schedulers, and compares them: ends with the tables.
set -euo pipefail
cd "$(dirname "$0")/.."
.ci/install
exec cmake --workflow --preset compare
