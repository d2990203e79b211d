#!/usr/bin/env bash
# check_openmp_binding.sh PROGRAM: the program sees what the process was given, however OpenMP binds its threads.
set -eu
unset OMP_NUM_THREADS OMP_THREAD_LIMIT  # nproc counts by them.
given=$(nproc)
if [ "$given" = 1 ]; then
  echo "one processor: nothing can be narrowed"
  exit 77
fi
all=$(taskset -pc $$ | sed "s/.*: //")
first=${all%%[,-]*}
for setting in NONE=1 OMP_PROC_BIND=true OMP_PROC_BIND=close OMP_PROC_BIND=spread OMP_PROC_BIND=false OMP_PLACES=threads \
               OMP_PLACES=cores "OMP_PLACES={$first}" "GOMP_CPU_AFFINITY=$all" "GOMP_CPU_AFFINITY=$first" KMP_AFFINITY=compact; do
  env "$setting" "$1" "$given" || { echo "with $setting: status $?"; exit 1; }
done
# Without binding no thread has a place, and who narrows it is the user. LLVM's runtime binds to places all the same.
[[ $1 == *llvm ]] || env OMP_PROC_BIND=false OMP_PLACES=threads "$1" "$given" first
taskset -c "$first" env OMP_PROC_BIND=true "$1" 1
