#!/usr/bin/env bash
# run.sh [--all]: installs what is missing, then builds and runs the unit tests, the laws of the main schedulers, and the
# model checker on deques and engine (label core). --all: every test that runs before a push (labels core, quick, long).
set -euo pipefail
cd "$(dirname "$0")/.."
preset=verify
case "$*" in
  "") ;;
  --all) preset=verify-all ;;
  --help | -h)
    sed -n '2,3s/^# //p' "$0"
    exit
    ;;
  *)
    echo "verify/run.sh: unknown argument '$*'; valid: --all, --help, or none" >&2
    exit 2
    ;;
esac
.ci/install bench verify
exec cmake --workflow --preset $preset
