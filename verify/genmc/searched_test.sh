#!/usr/bin/env bash
# searched.sh takes a change of an order, a step or a client for one, and a change of comments and lines for none.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cp -r "$root/schedulers" "$root/verify" "$scratch"
cd "$scratch"
record=verify/genmc/verdicts.txt

# EDIT of FILE, a sed command that changes it, and then what searched.sh says.
after() { # EDIT FILE
  cp "$2" before
  sed -i -E "$1" "$2"
  ! cmp -s before "$2" || { echo "'$1' changes nothing in $2." >&2; exit 1; }
  said=$(verify/genmc/searched.sh -r $record) && status=0 || status=$?
  cp before "$2"
}
expect_same() { after "$@"; [ $status = 0 ] || { echo "'$1' in $2 is no change of code, but: $said" >&2; exit 1; }; }
expect_change() {
  after "$@"
  [[ $status != 0 && $said == *"$2"* ]] || { echo "'$1' in $2 goes unnoticed: $said" >&2; exit 1; }
}

expect_same 's://.*::; s/^/  /' schedulers/engine/sleep/latch.hpp
expect_same 's/acquire/relaxed/' schedulers/engine/std_machine.hpp
expect_change 's/(order done = order::)acquire/\1relaxed/' schedulers/engine/sleep/latch.hpp
expect_change 's/(bool heavy = )true/\1false/' schedulers/engine/sleep/directed_lot.hpp
expect_change 's/spin_until/if/' verify/genmc/stack_deque.hpp
expect_change '/^# parker: /d' $record
