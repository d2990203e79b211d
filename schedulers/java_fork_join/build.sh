#!/usr/bin/env bash
# build.sh [PROGRAM]: builds the program unless it is newer than its sources: a script that starts Java, with an archive
# behind it, which Java finds from its end. So it is one file, as the other programs are. Without an argument: whether it
# can be built here, by Java 17 or later.
set -euo pipefail
if (($#)) && [[ -e $1 && -z $(find . -newer "$1") ]]; then exit; fi
version=$(javac -version 2>/dev/null | sed -n 's/^javac \([0-9]*\).*/\1/p')
((${version:-0} >= 17)) && command -v jar >/dev/null
java=$(command -v java)
if (($# == 0)); then exit; fi
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
javac --release 17 -Xlint:all,-serial -Werror -d "$work/classes" ./*.java
jar --create --file "$work/archive" --main-class Main -C "$work/classes" .
sed "s|@java@|$java|" launcher.sh | cat - "$work/archive" >"$work/program"
chmod +x "$work/program"
mv "$work/program" "$1"
