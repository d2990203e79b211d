#!/usr/bin/env bash
# Fails unless, in the assembly of each function of owner_paths.cpp, the store to the second argument
# comes before every load; and, in what Clang has written, the compiler fence between the two.
#   check_order.sh ASSEMBLY      of x86-64 or AArch64
#   check_order.sh COMPILER [FLAG...]
set -euo pipefail
assembly=$1
if [[ $1 != *.s ]]; then
  here=$(cd "$(dirname "$0")" && pwd)
  assembly=$(mktemp --suffix .s)
  trap 'rm -f "$assembly"' EXIT
  "$@" -std=c++20 -O3 -I"$here/../.." -S "$here/owner_paths.cpp" -o "$assembly"
fi
for function in take_back fork_looks; do
  awk -v name="$function" '
    BEGIN { x86_store = "^\tmovq?\t[^,]+, \\(%rsi\\)"; x86_load = "^\t[a-z]+\t-?[0-9]*\\(%r[a-z0-9]+\\)"
            arm_store = "^\tstl?r\t[xw][a-z0-9]+, \\[x1\\]"; arm_load = "^\tld[a-z]*\t[^[]*\\[" }
    /\.ident.*clang|^\t\.ident\t.*LLVM/ { clang = 1 }
    $0 ~ "^" name ":" { inside = 1 }
    inside && /^\t\.size/ { inside = 0 }
    inside && !store && ($0 ~ x86_store || $0 ~ arm_store) { store = NR }
    inside && !load && ($0 ~ x86_load || $0 ~ arm_load) { load = NR }
    inside && store && !load && /MEMBARRIER|COMPILER BARRIER/ { fence = NR }
    END {
      if (!store || !load) wrong = "has no store to its second argument, or no load: has its code changed?"
      else if (load < store) wrong = "loads before it stores, in line " load " and " store
      else if (clang && !fence) wrong = "has no compiler fence between its store and its load"
      if (wrong) print name " " wrong
      exit wrong != ""
    }' "$assembly" || failed=1
done
exit "${failed:-0}"
