#!/usr/bin/env bash
# write_build.sh FOLDER SOURCES GENERATED PYTHON PROJECT VERSION LIST=NAME;NAME...: writes, into the folder of a build, the
# command `stealbench`, what it has to know of the build, and profiles; and among the generated headers the one that has
# the commit. Only what has changed is written. PROJECT is the folder in which a user's project is built, or empty.
set -euo pipefail
folder=$1 sources=$2 generated=$3 python=$4 project=$5 version=$6
shift 6
bench=$(realpath "$(dirname "$0")")
commit=$("$bench/cell/commit.sh" "$sources")

# write FILE: its text from the input.
write() {
  local text
  text=$(cat)
  mkdir -p "$(dirname "$1")"
  [[ -f $1 && $(<"$1") == "$text" ]] || echo "$text" >"$1"
}
# As JSON and Python take a text, and as a shell does.
text() { local escaped=${1//\\/\\\\}; echo "\"${escaped//\"/\\\"}\""; }
word() { if [[ $1 == *[^-+./A-Za-z0-9_]* ]]; then echo "${1@Q}"; else echo "$1"; fi; }

packages=$(sed -n 's/^\([a-z0-9-]*\):.*/\1/p' "$bench/../.ci/packages" | sort -u | paste -sd ';')
{
  echo '{'
  for list in "$@" "packaged=$packages"; do
    sed -E 's/([^;]+)/"\1"/g; s/;/, /g' <<<"${list#*=}" | sed "s/.*/  \"${list%%=*}\": [&],/"
  done
  if [[ $project ]]; then # How a message says to build something, also what this build lacks. Else as in the README.
    build="cmake --build $(word "$project")"
    echo "  \"folder\": $(text "$(word "$sources/")"),"
    echo "  \"configure\": $(text "cmake -D STEALBENCH_SCHEDULERS=all $(word "$project") && "),"
    echo "  \"build\": $(text "$build"), \"build_all\": $(text "$build --target stealbench_all"),"
  fi
  echo "  \"version\": \"$version\", \"commit\": \"$commit\""
  echo '}'
} | write "$folder/stealbench-build.json"
launcher=$(<"$bench/launcher.in")
launcher=${launcher/@PYTHON@/"$python"}
write "$folder/stealbench" <<<"${launcher/'"@BENCH@"'/"$(text "$bench")"}"
chmod +x "$folder/stealbench"
write "$generated/bench/cell/commit.hpp" <<<"#pragma once

namespace stealbench::cell {
inline constexpr const char* commit = \"$commit\";
}  // namespace stealbench::cell"
for profile in "$bench"/../schedulers/virtual_machine/profiles/*.json; do
  write "$folder/profiles/${profile##*/}" <"$profile"
done
