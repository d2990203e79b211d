#!/usr/bin/env bash
# commit.sh SOURCES [TEMPLATE FILE]...: prints the commit of the source tree, or writes each template with it into the file,
# but only when that has changed. Installed sources have their commit beside them: a repository around them is another
# project's.
set -euo pipefail
commit=unknown
if [[ -f $1/commit.txt ]]; then
  commit=$(<"$1/commit.txt")
elif [[ -e $1/.git ]]; then
  commit=$(git -C "$1" describe --always --dirty --abbrev=12 '--exclude=*' || echo unknown)
fi
if (($# == 1)); then echo "$commit"; fi
while shift && (($# > 1)); do
  text=$(sed "s/@COMMIT@/$commit/" "$1")
  mkdir -p "$(dirname "$2")"
  [[ -f $2 && $(<"$2") == "$text" ]] || echo "$text" >"$2"
  shift
done
