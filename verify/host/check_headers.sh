#!/usr/bin/env bash
# check_headers.sh COMPILER: in a project that has folders and headers of the same names, and after the macros of
# words.txt, each header of the library compiles alone, without a warning.
set -euo pipefail
here=$(realpath "$(dirname "$0")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$here/../../.cmake/layout.sh" library "$here/../.." "$work/ours/stealbench" >/dev/null
cd "$work"
[[ $(ls ours) == stealbench ]] || { echo "more than one name in the include folder: $(ls ours)"; exit 1; }
# What includes another library's headers survives no more than they do.
mapfile -t headers < <(cd ours && find . -name '*.hpp' -printf '%P\n' |
  grep -vE '/(onetbb|openmp|parlay|std_par|taskflow)/')
((${#headers[@]} > 80)) || { echo "only ${#headers[@]} headers"; exit 1; }

for header in "${headers[@]#stealbench/}"; do
  for theirs in "$header" "${header#*/}"; do
    mkdir -p "theirs/$(dirname "$theirs")"
    echo "#error The header $theirs of another project." >"theirs/$theirs"
  done
done
# What ours include of the system, and then the macros: compiled once.
grep -rhoE '^#include <[^>]+>' ours | grep -vE '<(stealbench|boost|omp|parlay|taskflow|tbb)' | sort -u >before.hpp
grep -v '^#' "$here/words.txt" | tr ' ' '\n' | sed '/()$/s/()$/(...)/; s/.*/#undef &\n#define & ?!/; s/\(#undef [^(]*\)(...)/\1/' >>before.hpp
flags=(-std=c++20 -Itheirs -Iours -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror)
"$1" "${flags[@]}" -x c++-header before.hpp -o before.hpp.gch
printf '%s\0' "${headers[@]}" | xargs -0 -P "$(nproc)" -I{} bash -c 'echo "#include <$0>" |
    "$@" -include before.hpp -fsyntax-only -x c++ - || { echo "in $0"; exit 1; }' {} "$1" "${flags[@]}"
