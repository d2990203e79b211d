#!/usr/bin/env bash
# check_example.sh PROGRAM: the README has template/program.cpp, and says what it prints.
set -euo pipefail
folder=$(dirname "$0")
source=$(<"$folder/template/program.cpp")
readme=$(<"$folder/../README.md")
[[ $readme == *'```cpp'$'\n'"$source"$'\n''```'* ]] || { echo "the README has another program than program.cpp"; exit 1; }
printed=$("$1")
[[ $readme == *"It prints $printed."* ]] || { echo "it prints $printed, and the README says otherwise"; exit 1; }
