#!/usr/bin/env bash
# catalogue.sh PROGRAM...: passes if README.md has one row for each bug that the programs list, with its outcome, and no
# other.
set -euo pipefail
readme=$(dirname "$0")/README.md
# Name and outcome of each.
listed=$(for program in "$@"; do "$program" --list; done |
  sed -n -e 's|^\([a-z_]*\)/broken:.*|\1|;T;N' -e 's|\n *\([A-Z ]*\):.*| \1|p' | sort)
[[ -n $listed ]] || { echo "the programs list no bug"; exit 1; }
rows=$(sed -n 's/^| `\([a-z_]*\)`.*/\1/p' "$readme" | sort)
diff <(cut -d ' ' -f 1 <<<"$listed") - <<<"$rows"
while read -r name outcome; do
  grep -q "^| \`$name\` .* $outcome " "$readme" || { echo "no row for $name, $outcome"; exit 1; }
done <<<"$listed"
