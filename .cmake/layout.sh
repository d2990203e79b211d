#!/usr/bin/env bash
# layout.sh library | suite | install FROM TO: writes what another project gets, an installation or the copy that its build
# makes of the repository, and prints the files. In the repository an include path is a file path from its root;
# there it is <stealbench/...>, so that neither a folder of that project with the name of a room of ours nor ours hides the
# other's headers. All sources are rewritten, not only headers: no file includes one header by two paths.
set -euo pipefail
shopt -s nullglob
mkdir -p "$3"
what=$1 from=$(realpath "$2") to=$(realpath "$3")
cd "$from"
if [[ $what == install ]]; then
  for part in library:include/stealbench suite:share/stealbench/stealbench; do # The first share/stealbench is the include root.
    "$from/.cmake/layout.sh" "${part%%:*}" "$from" "$to/${part#*:}" | sed "s|^|${part#*:}/|"
  done
  exit
fi
if [[ $what == library ]]; then
  # What the contract and the schedulers' headers include; without the schedulers that need a library which is not installed.
  pending=(schedulers/{scheduler,in_order}.hpp schedulers/*/scheduler.hpp schedulers/adapters/*.hpp)
  declare -A seen
  while ((${#pending[@]})); do
    header=${pending[0]} pending=("${pending[@]:1}")
    if [[ ${seen[$header]:-} || $header =~ ^schedulers/(openmp_llvm|rayon|work_span)/ ]]; then continue; fi
    seen[$header]=yes
    mapfile -t -O ${#pending[@]} pending < <(sed -n 's/^#include "\(.*\)"$/\1/p' "$header")
  done
  files=("${!seen[@]}")
else
  # The library, all that is measured with it and the tests of the laws, with their commit beside them.
  mapfile -t files < <(
    find .cmake schedulers workloads bench CMakeLists.txt LICENSE .ci/install .ci/packages -type f |
      grep -vE '^schedulers/contract/|/(tests|__pycache__|\.[a-z_]+)/|_(test|fixture)\.'
    find schedulers/contract -type f)
  commit=$(bench/cell/commit.sh .)
  [[ -f $to/commit.txt && $(<"$to/commit.txt") == "$commit" ]] || echo "$commit" >"$to/commit.txt"
  echo commit.txt
fi
# Only what has changed is written, and what is no more is removed: rooms find their files by globs.
new=$(mktemp -d)
trap 'rm -r "$new"' EXIT
cp --parents --preserve=mode --target-directory="$new" "${files[@]}"
cd "$new"
find . -name '*.[ch]pp' -o -name '*.[ch]pp.in' |
  xargs -d '\n' sed -Ei 's,#include "((schedulers|workloads|bench)/[^"]*)",#include <stealbench/\1>,'
sums() { (cd "$1" && find . -type f -exec sha1sum {} + | sort); }
comm -23 <(sums .) <(sums "$to") | cut -c43- | xargs -d '\n' -r cp --parents --preserve=mode --target-directory="$to"
comm -13 <(find . -type f | sort) <(cd "$to" && find . -type f ! -path ./commit.txt | sort) | (cd "$to" && xargs -d '\n' -r rm)
printf '%s\n' "${files[@]}"
