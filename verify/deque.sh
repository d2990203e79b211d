#!/usr/bin/env bash
# deque.sh DEQUE [--list] [--suite NAME [--search SEARCH]]: builds the model checker's suites of a deque, as the setting
# `deque` names it, and runs their searches: all that are quick enough to run before a push, or the one that is named.
set -euo pipefail
cd "$(dirname "$0")/.."
deque=${1-}
program=work_stealing_${deque//-/_}_deque_relacy
if [[ ! -e verify/work_stealing/${program#work_stealing_}.cpp ]]; then
  valid=$(cd verify/work_stealing && printf '%s\n' *_deque_relacy.cpp | sed 's/_deque_relacy.cpp//; s/_/-/g')
  echo "verify/deque.sh '$deque': no such deque; valid: "$valid >&2
  exit 2
fi
.ci/install bench verify
[[ -e build/verify/build.ninja ]] || cmake --preset verify >/dev/null
cmake --build build/verify --target "$program"
exec "build/verify/verify/$program" "${@:2}"
