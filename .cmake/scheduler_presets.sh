#!/usr/bin/env bash
# scheduler_presets.sh write | check SCHEDULER...: writes the presets of these, and the workflows of these and of
# presets.json, to scheduler_presets.json, or compares them with it. CMake reads presets before it reads any list, so they
# are committed.
set -euo pipefail
cd "$(dirname "$0")"
mode=$1
shift
# each FORMAT NAME...: the entries, with a comma between two. %s in the format is the name.
each() {
  local format=$1 separator=""
  shift
  for name in "$@"; do
    printf '%s    %s' "$separator" "${format//%s/$name}"
    separator=$',\n'
  done
  printf '\n  ]'
}
presets() {
  printf '{\n  "version": 6,\n  "cmakeMinimumRequired": {"major": 3, "minor": 25, "patch": 0},\n'
  printf '  "vendor": {"stealbench": "Written by the target presets from the list in schedulers/CMakeLists.txt"},\n'
  printf '  "include": ["presets.json"],\n  "configurePresets": [\n'
  each '{
      "name": "%s",
      "displayName": "The %s scheduler alone, as it is benchmarked",
      "inherits": "base",
      "cacheVariables": {"STEALBENCH_SCHEDULERS": "%s"}
    }' "$@"
  printf ',\n  "buildPresets": [\n'
  each '{"name": "%s", "configurePreset": "%s"}' "$@"
  printf ',\n  "testPresets": [\n'
  each '{"name": "%s", "configurePreset": "%s", "inherits": "tested"}' "$@"
  printf ',\n  "workflowPresets": [\n'
  each '{
      "name": "%s",
      "steps": [
        {"type": "configure", "name": "%s"},
        {"type": "build", "name": "%s"},
        {"type": "test", "name": "%s"}
      ]
    }' cluster verify verify-nightly asan asan-full tsan fuzz "$@"
  printf '\n}\n'
}
if [[ $mode == write ]]; then
  presets "$@" >scheduler_presets.json
else
  presets "$@" | diff -u scheduler_presets.json - || { echo "renew it: the target presets" >&2; exit 1; }
fi
