#!/usr/bin/env bash
# check_openmp_places.sh PROGRAM: it may use the places of OpenMP beside the one processor that it has.
[ "$(getconf _NPROCESSORS_ONLN)" -gt 1 ] || exit 77
all=$(taskset -pc $$ | sed "s/.*: //")
exec taskset -c "${all%%[,-]*}" env OMP_PROC_BIND=true "$1"
