#!/usr/bin/env bash
# What the row `sequential` times as plain calls is called, and what a call takes by value is copied:
#   check_raw_calls.sh LIBRARY
# No test of times sees whether a compiler has inlined them; the library then lacks their symbols.
set -euo pipefail
found=$(nm -C "$1" | sed -n 's/.*real_calls:://p')
for symbol in 'call()' 'copying_call<'{8,32,64,128,256}'ul>'; do
  [[ $symbol == call* ]] || symbol+="(std::array<std::byte, ${symbol//[^0-9]/}ul>)"
  grep -qxF "$symbol" <<<"$found" || { echo "$1 has no function $symbol, only: $found" >&2; exit 1; }
done
