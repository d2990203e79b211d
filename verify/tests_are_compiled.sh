#!/usr/bin/env bash
# tests_are_compiled.sh SOURCES BUILD: fails if a file of tests is in no target of the build.
set -euo pipefail
cd "$1"
pattern="$PWD/[^\" ]+_(test|relacy)\.cpp"
compiled=$(grep -rhoE --include='unity_*.cxx' "$pattern" "$2"; grep -oE "$pattern" "$2/compile_commands.json")
lost=$(find "$PWD"/{bench,schedulers,verify,workloads} -name '*_test.cpp' -o -name '*_relacy.cpp' | sort | comm -23 - <(sort -u <<<"$compiled"))
[[ -z $lost ]] || { echo "in no target: $lost" >&2; exit 1; }
