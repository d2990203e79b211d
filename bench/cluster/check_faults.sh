#!/usr/bin/env bash
# check_faults.sh STEALBENCH-MPI STEALBENCH: a rank that is killed, a wrong answer, bad input, rows of a table.
set -uo pipefail
mpi=$1 stealbench=$2
said=$(mktemp)
trap 'rm -f "$said"' EXIT

# expect STATUS TEXT COMMAND...: the command ends within half a minute with that status and says that.
expect() {
  local status=$1 text=$2 got
  timeout 30 "${@:3}" >"$said" 2>&1 </dev/null
  got=$?
  [[ $got == "$status" ]] && grep -qF -- "$text" "$said" && return
  echo "${*:3}: status $got and not $status, or nothing of '$text' in:" >&2
  cat "$said" >&2
  exit 1
}
on() { echo mpirun -n "$1" --oversubscribe --bind-to none "$mpi"; }

expect 2 "--balance" $(on 2) run uts --balance nobody
expect 2 "must be one of integrate, knapsack, nqueens, uts" $(on 2) run fib
expect 2 "tree" $(on 2) run uts --set tree=T99
STEALBENCH_INJECT_ERROR=uts expect 1 WRONG $(on 2) run uts --size test
expect 0 right "$stealbench" run uts --size test --scheduler mpi --workers 2
expect 0 right "$stealbench" run uts --size test --scheduler mpi:ranks=2 --workers 4
expect 0 '"workers":4' "$mpi" --workload uts --size test --workers 4 --variant=ranks=2 --once
expect 0 '"workers":4' "$mpi" --workload uts --size test --workers 4 --variant ranks=2:balance=random --once
# A filter is no variant, and starts no second rank.
expect 0 worker_count=1 "$mpi" --workload uts --size test --workers 1 --benchmark_min_time=0 \
  --benchmark_filter='uts|:ranks=2'
expect 2 "a multiple of 2" "$stealbench" run uts --size test --scheduler mpi:ranks=2 --workers 3
STEALBENCH_HAS_STARTED_RANKS=yes expect 2 "ranks=2 does not hold for 1 rank" \
  "$mpi" --workload uts --size test --workers 4 --variant ranks=2 --once
expect 0 right mpirun -n 1 "$stealbench" run uts --size test --scheduler mpi:ranks=2 --workers 4
expect 2 "--pin" "$mpi" --workload uts --size test --workers 2 --variant ranks=2 --pin --once
expect 2 "tasks that it sends" "$mpi" --metric fork
# A search after the other, and the setting reaches all ranks.
expect 0 verified=1 $(on 3) --workload uts --size test --workers 1 --sample-ms 200 --benchmark_min_time=0
expect 0 '"gifts":0' $(on 2) run uts --size test --balance random --json
expect 0 '"expanded":0' $(on 2) run uts --size test --balance master --json
# The time is that of MPI's clock, and rank 0 counts the processor time of its own process once.
expect 0 '"search_ns"' $(on 2) run uts --size test --json
if [[ $(grep -oE '"(time|search)_ns":[0-9.e+]+' "$said" | cut -d: -f2 | uniq -c) != *2\ * ]]; then
  echo "time_ns is not search_ns in:" >&2
  cat "$said" >&2
  exit 1
fi
expect 0 '"time_unit": "ms"' $(on 1) --workload uts --set tree=T3 --workers 1 --benchmark_min_time=0 --benchmark_format=json
awk -F '[":, ]+' '/"cpu_time"/ { ms = $3 } /"cpu_seconds"/ && 1000 * $3 > 1.5 * ms { exit 1 }' "$said" || {
  echo "cpu_seconds has more than cpu_time in:" >&2
  cat "$said" >&2
  exit 1
}
# A rank that cannot start its threads.
(ulimit -v 400000; expect 1 "rank" mpirun -n 2 --oversubscribe --bind-to none "$mpi" run uts --size test --workers 8) || exit 1

# A rank that is killed in a search of seconds ends the job.
for rank in 0 2; do
  begin=$SECONDS
  mpirun -n 3 --oversubscribe --bind-to none "$mpi" run uts --set tree=T1XXL >"$said" 2>&1 </dev/null &
  job=$!
  victim=
  for ((try = 0; try < 100; ++try)); do
    sleep 0.1
    for pid in $(pgrep -P "$job" -f "$mpi"); do
      tr '\0' '\n' <"/proc/$pid/environ" 2>/dev/null | grep -qx "PMIX_RANK=$rank" && victim=$pid
    done
    [[ -n $victim ]] && break
  done
  sleep 1
  kill -9 "${victim:?no process of rank $rank}"
  wait "$job"
  status=$?
  if ((status == 0 || SECONDS - begin > 30)) || ! grep -qF "signal 9" "$said"; then
    echo "rank $rank was killed: status $status after $((SECONDS - begin)) s, and:" >&2
    cat "$said" >&2
    exit 1
  fi
done
