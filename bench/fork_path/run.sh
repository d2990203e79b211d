#!/usr/bin/env bash
# run.sh PATH COMPILER...: compiles the program by options of its own, as the count must not depend on those of the project,
# nor on what is compiled together, nor on the instruction set, and counts. PATH is fork or spawn. Left out is a compiler
# that is not here or has no record; skipped if all are.
set -euo pipefail
cd "$(dirname "$0")/../.."
path=$1 status=77
shift
command -v valgrind >/dev/null || { echo "left out: valgrind counts"; exit 77; }
made=$(mktemp -d)
trap 'rm -r "$made"' EXIT
cat >"$made/name" <<'NAME'
#if !defined(__x86_64__)
another processor
#elif defined(__clang__)
clang-__clang_major__
#else
gcc-__GNUC__
#endif
NAME
for compiler; do
  name=$("$compiler" -x c++ -E -P "$made/name" | grep .) || name="$compiler"
  if ! record=$(grep -m 1 "^$path $name " bench/fork_path/instructions.txt); then
    echo "left out: no record for $name"
    continue
  fi
  "$compiler" -std=c++20 -O3 -DNDEBUG -I. bench/fork_path/fork_path.cpp schedulers/engine/std_machine.cpp \
    schedulers/operating_system/{mapped_memory,process_mark,processors,thread}.cpp -lhwloc -pthread -o "$made/fork_path"
  bench/fork_path/check.sh valgrind "$made/fork_path" $record
  status=0
done
exit "$status"
