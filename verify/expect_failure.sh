#!/usr/bin/env bash
# expect_failure.sh REASON PROGRAM ARGUMENT...: passes if the program ends with exit status 1, its own word for "a check
# failed", and prints the reason. A crash or a bad command line has another status, which WILL_FAIL could not tell apart.
status=0
output=$("${@:2}" 2>&1) || status=$?
echo "$output"
if ((status != 1)); then
  echo "exit status $status instead of 1"
  exit 1
fi
grep -qF -- "$1" <<<"$output" || { echo "'$1' is not in the output"; exit 1; }
