#!/usr/bin/env bash
# build.sh [PROGRAM]: builds the program, where Go itself knows whether it has to compile anything. Without an argument:
# whether it can be built here.
set -euo pipefail
go=$(command -v go)
if (($#)); then GO111MODULE=off CGO_ENABLED=0 "$go" build -o "$1" main.go workloads.go; fi
