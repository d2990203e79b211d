#!/usr/bin/env bash
# commit.sh SOURCES HEADER: writes the commit of the source tree into the header, but only when it has changed. Installed
# sources have their commit beside them: a repository around them is another project's.
set -euo pipefail
commit=unknown
if [[ -e $1/.git ]]; then commit=$(git -C "$1" describe --always --dirty --abbrev=12 '--exclude=*' || echo unknown); fi
text="#pragma once

namespace stealbench::cell {
inline constexpr const char* commit = \"$commit\";
}  // namespace stealbench::cell"
if [[ -f $1/commit.hpp ]]; then text=$(<"$1/commit.hpp"); fi
mkdir -p "$(dirname "$2")"
[[ -f $2 && $(<"$2") == "$text" ]] || echo "$text" >"$2"
