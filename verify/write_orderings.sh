#!/usr/bin/env bash
# Writes orderings.md from the verdicts on record.
#   write_orderings.sh try PROGRAM...     tries every mutant of every protocol first, and writes the record anew
#   write_orderings.sh write PROGRAM...   as the record is
#   write_orderings.sh check PROGRAM...   compares the page instead of writing it
set -euo pipefail
cd "$(dirname "$0")"
mode=$1
shift
each() { for program in "${programs[@]}"; do "$program" "$@"; done; }
programs=("$@")
made=$(mktemp)
trap 'rm -f "$made"' EXIT

if [[ $mode == try ]]; then
  echo "# What Relacy says of each mutant: protocol | site | weakened to | verdict. Written by the target orderings." >"$made"
  each --orderings >>"$made"
  cp "$made" verdicts.txt
fi
cat >"$made" <<'END'
# Every memory ordering, and what becomes of the protocol without it

Written by `cmake --build --preset verify --target orderings` from [verdicts.txt](verdicts.txt) and
[genmc/verdicts.txt](genmc/verdicts.txt); the tests `orderings/...` try every mutant again and compare with
these, and `orderings/page` compares this page. An atomic operation that is missing here is relaxed, which nothing weakens: the test
`orderings/are_in_structs` checks that every stronger one is in an orderings struct.

A mutant weakens one member of the struct and leaves the rest as shipped. It is *killed* by the first
script whose execution fails, and *survives* if all pass: 10 000 random executions of each script, then a
search of it as named beside the script. Of a site's mutants the weakest one is tried first, and where it
survives the others do as well. A survivor has a justification:
*equivalent mutant*, the weaker order is enough; *invisible to Relacy*, which cannot show the difference, as the
litmus test named there asserts, while GenMC kills it; *argued*, no checker that has tried it can show the difference,
and the words that follow say why the order is shipped. [README.md](README.md) defines the terms.

The last column is what GenMC said when `genmc/verdicts.txt` was written: an exhaustive search of the same scripts
under two memory models, RC11 and IMM. GenMC has no system-wide fence: two seq_cst fences replace the pair.

END
each --page genmc/verdicts.txt verdicts.txt >>"$made"
sed -i -e :a -e '/^\n*$/{$d;N;ba' -e '}' "$made"
# A verdict on what no program has.
stale=$(sed -n 's/^\([^#|]*[^ ]\) | .* | .*/\1/p' genmc/verdicts.txt verdicts.txt | sort -u |
  while read -r protocol; do grep -qxF "## $protocol" "$made" || echo "$protocol"; done)
[[ -z $stale ]] || { echo "There are verdicts on what no program has: $stale" >&2; exit 1; }
if [[ $mode == check ]]; then
  diff -u orderings.md "$made" || { echo "orderings.md is not what the record says: the target orderings renews it" >&2; exit 1; }
else
  cp "$made" orderings.md
fi
