#!/usr/bin/env bash
# commit.sh SOURCES HEADER: writes the commit of the source tree into the header, but only when it has changed.
set -euo pipefail
commit=$(git -C "$1" describe --always --dirty --abbrev=12 '--exclude=*' 2>/dev/null || echo unknown)
text="#pragma once

namespace stealbench::cell {
inline constexpr const char* commit = \"$commit\";
}  // namespace stealbench::cell"
mkdir -p "$(dirname "$2")"
[[ -f $2 && $(<"$2") == "$text" ]] || echo "$text" >"$2"
