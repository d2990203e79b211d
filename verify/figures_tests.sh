#!/bin/sh
# Whether each suite that figures.md names is in the sources:  figures_tests.sh REPOSITORY
cd "$1" || exit 2
suites=$(grep -oE '`[A-Z][A-Za-z]+`' verify/figures.md | tr -d '`' | sort -u)
[ -n "$suites" ] || { echo "verify/figures.md names no suite"; exit 1; }
status=0
for suite in $suites; do
  grep -rqE "^((TYPED_)?TEST[_A-Z]*|TIMETABLES)\($suite," --include='*_test.cpp' bench schedulers workloads || {
    echo "verify/figures.md names $suite, and no test is of that suite"
    status=1
  }
done
for file in $(grep -oE '`test_[a-z]+\.py`' verify/figures.md | tr -d '`' | sort -u); do
  [ -f "bench/stealbench/tests/$file" ] || { echo "verify/figures.md names $file, which does not exist"; status=1; }
done
exit $status
