#!/usr/bin/env bash
# check.sh PROGRAM: what must fail, fails: with exit status 1, and for the reason that it has.
set -euo pipefail
failed=0
while read -r suite reason; do
  "$(dirname "$0")/../expect_failure.sh" "$reason" "$1" --suite "$suite" || failed=1
done <<'END'
assertion USER ASSERT FAILED
race DATA RACE
leak MEMORY LEAK
freed ACCESS TO FREED MEMORY
deadlock DEADLOCK
livelock LIVELOCK
once INCONSISTENT TEST SUITE
pop a pop gives the youngest job left
steal steals give the oldest job first
push a push is refused only if the deque is full
no_job taken means a job
looks_empty nothing is left after the last pop
sync a closure has run at its join
loop a closure has run at its join
cast every part of the other cast has arrived
END
# The first of a search that begins with the fifth.
"$(dirname "$0")/../expect_failure.sh" 'race, random:9@5: DATA RACE in execution 1,' "$1" --suite race --search random:9@5 ||
  failed=1
exit $failed
