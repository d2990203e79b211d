#!/usr/bin/env bash
# Prints the presets of each scheduler that is named, and the workflows of these and of presets.json:
# scheduler_presets.json. CMake reads presets before it reads any list, so what is printed is committed; the test
# presets_are_up_to_date compares.
set -euo pipefail
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
    }' verify verify-nightly asan asan-full tsan fuzz "$@"
printf '\n}\n'
