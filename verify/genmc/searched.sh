#!/usr/bin/env bash
# Whether GenMC has searched the protocols as they are now: its record names the headers that each client runs, with a
# hash of their code.
#   searched.sh CLIENT      prints those of verify/genmc/CLIENT.cpp
#   searched.sh -r RECORD   fails if one of them is not as it was when its verdicts were written
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
cd "$root"

# The real machine, which is a default argument and under GenMC never used; and what says how a
# scheduler is set up or counted.
not_run='schedulers/(engine/(std_machine|machine|queue_policy|tally|sleep/patience)|options|operating_system/[a-z_]*)\.hpp'

# Of its code: no comment, and no difference in spaces and lines.
declare -A hash_of
hash() { # FILE...
  local file
  for file in "$@"; do
    [[ -n ${hash_of[$file]-} ]] ||
      hash_of[$file]=$(sed -E 's:/\*[^*]*\*/::g; s://.*$::' "$file" | tr -d '[:space:]' | sha256sum | cut -c1-16)
  done
}
# Sets `found`, by the includes from the client on: FILE HASH, a line each.
search() { # CLIENT
  local todo=("verify/genmc/$1.cpp") seen=' ' file files
  while ((${#todo[@]} > 0)); do
    file=${todo[0]} todo=("${todo[@]:1}")
    [[ $seen != *" $file "* ]] || continue
    seen+="$file "
    mapfile -t -O ${#todo[@]} todo < <(
      sed -En 's:^#include "((schedulers|verify/genmc)/.*)".*:\1:p' "$file" | grep -vxE "$not_run")
  done
  mapfile -t files < <(printf '%s\n' $seen | sort)
  hash "${files[@]}"
  found=$(for file in "${files[@]}"; do echo "$file ${hash_of[$file]}"; done)
}

case ${1-} in
  -r) record=$2 ;;
  *) search "$1"; echo "$found"; exit ;;
esac
# In the record, `# PROTOCOL: CLIENT, searched on …`, and then a line `#   FILE HASH` for each file.
status=0
while read -r line; do
  protocol=${line%%:*} client=${line#*: }
  client=${client%%,*}
  was=$(awk -v head="# $protocol: " '/^#/ && !/^#   / { on = index($0, head) == 1 } on && /^#   / { print $2, $3 }' "$record")
  search "$client"
  [ "$was" = "$found" ] && continue
  status=1
  echo "GenMC's verdicts on $protocol are of other code than ('<' then, '>' now):"
  diff <(echo "$was") <(echo "$found") | grep '^[<>]' || true
done < <(sed -En 's/^# (.*: .*, searched on .*)/\1/p' "$record")
for client in verify/genmc/*.cpp; do
  client=$(basename "$client" .cpp)
  grep -q "^# .*: $client, searched on " "$record" || { echo "There are no verdicts of the client $client."; status=1; }
done
[ "$status" = 0 ] || echo "To renew them: verify/genmc/try_mutants.sh GENMC -w $record PROGRAM... (verify/genmc/README.md)."
exit $status
