#!/usr/bin/env bash
# Every memory order stronger than relaxed in shipped code is in an orderings struct, so that the
# matrix has it; and lock-free code goes through the memory model, so that there is an order to name.
#   verify/orders_in_structs.sh [FOLDER]
# Left out: what describes and implements the model, the tests, and the rooms of other threading systems.
set -euo pipefail
cd "${1:-$(dirname "$0")/../schedulers}"

find . -name '*.hpp' -o -name '*.cpp' | sort |
  grep -vE '_test\.cpp$|_fixture\.hpp$|/tests/|^\./(contract|openmp|onetbb|std_async)/|/(std_machine|memory_model|machine)\.[hc]pp$' |
  xargs awk '
    /^(struct [a-z_]+_orderings|inline constexpr [a-z_]+_orderings [a-z_]+) ?\{/ { inside = 1; structs++ }
    /^}/ { inside = 0 }
    {
      code = $0
      sub(/\/\/.*/, "", code)
      strong = code ~ /order::(acquire|release|acq_rel|seq_cst)/ && !inside
      if (strong || code ~ /std::(atomic|memory_order)/) {
        print FILENAME ":" FNR ": " $0
        wrong = 1
      }
    }
    END {
      if (structs < 5) { print "Found " structs + 0 " orderings structs: the pattern is out of date."; exit 1 }
      if (wrong) print "An order stronger than relaxed belongs into the orderings struct of its protocol."
      exit wrong
    }'
