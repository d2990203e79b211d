#!/usr/bin/env bash
# check_compilers.sh COMPILER: what this compiler, and those of the distribution that are found for x86-64 and AArch64,
# make of the owner's paths that only a compiler fence orders; and what must be flagged is.
set -euo pipefail
cd "$(dirname "$0")"
failed=0
passes() { ./check_order.sh "$@" || { echo "in the code of: $*"; failed=1; }; }
fails() { ../expect_failure.sh "$1" ./check_order.sh "${@:2}" || failed=1; }

passes "$1"
if command -v clang++ >/dev/null; then
  passes clang++
  # No compiler here does what a lost fence would let it do, but Clang says where a fence is.
  fails "no compiler fence" clang++ -DNO_COMPILER_FENCE
else
  echo "clang++ not found: its code is not tested"
fi
if command -v aarch64-linux-gnu-g++ >/dev/null; then
  passes aarch64-linux-gnu-g++
  command -v clang++ >/dev/null && passes clang++ --target=aarch64-linux-gnu # with that compiler's headers
else
  echo "aarch64-linux-gnu-g++ not found (package g++-aarch64-linux-gnu): AArch64 code is not tested"
fi
for part in x86_64 aarch64; do fails "loads before it stores" "reordered_$part.s"; done
exit $failed
