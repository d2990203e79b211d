#!/usr/bin/env bash
# commit.sh SOURCES: prints the commit of the source tree. Installed sources have their commit beside them: a repository
# around them is another project's.
set -euo pipefail
commit=unknown
if [[ -f $1/commit.txt ]]; then
  commit=$(<"$1/commit.txt")
elif [[ -e $1/.git ]]; then
  commit=$(git -C "$1" describe --always --dirty --abbrev=12 '--exclude=*' || echo unknown)
fi
echo "$commit"
