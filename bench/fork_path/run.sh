#!/usr/bin/env bash
# run.sh COMPILER: compiles the program by options of its own, as the count must not depend on those of the project, nor on
# what is compiled together, nor on the instruction set, and counts. Skipped where the record does not apply.
set -euo pipefail
cd "$(dirname "$0")/../.."
if [[ $("$1" -x c++ -E -P - <<<'__x86_64__ __GNUC__') != '1 12' ]] || ! command -v valgrind >/dev/null; then
  echo "left out: the record is GCC 12's on x86-64, and valgrind counts"
  exit 77
fi
made=$(mktemp -d)
trap 'rm -r "$made"' EXIT
"$1" -std=c++20 -O3 -DNDEBUG -I. bench/fork_path/fork_path.cpp schedulers/engine/std_machine.cpp \
  schedulers/operating_system/{mapped_memory,process_mark,processors,thread}.cpp -lhwloc -pthread -o "$made/fork_path"
bench/fork_path/check.sh valgrind "$made/fork_path" bench/fork_path/instructions.txt
