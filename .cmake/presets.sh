#!/usr/bin/env bash
# presets.sh write | check SCHEDULER...: in CMakePresets.json, writes the lines of each scheduler ("and its baseline"),
# all after the model of those of work-stealing, or says how they differ. CMake reads presets before any list of ours.
set -euo pipefail
cd "$(dirname "$0")/.."
mode=$1
shift
presets=$(awk -v names="$*" '
  !/ and its baseline/ { print; next }
  /"name": "work-stealing(-table)?"/ {
    count = split(names, name, " ")
    for (i = 1; i <= count; ++i) {
      line = $0
      gsub(/work-stealing/, name[i], line)
      sub(/serial;serial/, "sequential;serial", line)
      print line
    }
  }' CMakePresets.json)
if [[ $mode == write ]]; then
  echo "$presets" >CMakePresets.json
else
  diff -u CMakePresets.json - <<<"$presets" || { echo "renew it: the target presets" >&2; exit 1; }
fi
