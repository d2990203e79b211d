#!/usr/bin/env bash
# check_searches.sh STEALBENCH-MPI BALANCE: every workload that has a distributed form, by this way of balancing, on one
# rank to seven; each checks its answer. With `pools` in place of BALANCE: the larger trees, and every other pool.
set -euo pipefail
# search RANKS PROGRAM ARGUMENT...
search() {
  echo "$*" # The last one is that which fails.
  timeout 120 mpirun -n "$1" --oversubscribe --bind-to none "$2" run "${@:3}" --workers 2 >/dev/null
}
if [[ $2 == pools ]]; then
  for tree in T1L T2L T3L; do search 4 "$1" uts --set tree=$tree; done
  for program in "$1".*; do search 3 "$program" uts --set tree=T3; done
  exit
fi
for ranks in 1 2 4 7; do
  for instance in "uts --set tree=T3" "uts --set tree=T1" "nqueens --size small" "integrate --size small" \
    "knapsack --size small" "knapsack --size small --set prune=shared"; do
    search $ranks "$1" $instance --balance "$2"
  done
done
