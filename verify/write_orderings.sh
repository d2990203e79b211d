#!/usr/bin/env bash
# Writes orderings.tsv and the numbers in orderings.md from the verdicts on record.
#   write_orderings.sh try PROGRAM...     tries every mutant of every protocol first, and writes the record anew
#   write_orderings.sh write PROGRAM...   takes the record as it is
#   write_orderings.sh check PROGRAM...   compares the two files instead of writing them
set -euo pipefail
cd "$(dirname "$0")"
mode=$1
shift
each() { for program in "${programs[@]}"; do "$program" "$@"; done; }
programs=("$@")
new=$(mktemp -d)
trap 'rm -rf "$new"' EXIT

if [[ $mode == try ]]; then
  echo "# What Relacy says of each mutant: protocol | site | weakened to | verdict. Written by the target orderings." >"$new/verdicts"
  each --orderings >>"$new/verdicts"
  cp "$new/verdicts" verdicts.txt
fi
{
  printf 'protocol\torderings\tsite\toperation\tshipped\tpairs with\tweakened to\tRelacy\twhy it survives\treason\tsecond checker\n'
  each --table genmc/verdicts.txt verdicts.txt
} >"$new/orderings.tsv"
# A verdict on what no program has.
stale=$(sed -n 's/^\([^#|]*[^ ]\) | .* | .*/\1/p' genmc/verdicts.txt verdicts.txt | sort -u |
  while read -r protocol; do grep -q "^$protocol"$'\t' "$new/orderings.tsv" || echo "$protocol"; done)
[[ -z $stale ]] || { echo "There are verdicts on what no program has: $stale" >&2; exit 1; }

# A row for each protocol, in the order of the table.
awk -F '\t' '
  function row(name, which) {
    print "| " name " | " sites[which] + 0 " | " mutants[which] + 0 " | " killed[which] + 0 " | " why[which, "invisible to Relacy"] + 0 \
          " | " why[which, "equivalent mutant"] + 0 " | " why[which, "argued"] + 0 " | " \
          (tried[which] ? second[which] + 0 " of " tried[which] : "–") " |"
  }
  NR == 1 || $3 == "shipped" { if (NR > 1) { order[++protocols] = $1; header[$1] = $2 } next }
  $1 FS $3 != last { sites[$1]++; sites["all"]++; last = $1 FS $3 }
  $7 == "–" { next }
  { mutants[$1]++; mutants["all"]++ }
  $8 ~ /killed/ { killed[$1]++; killed["all"]++ }
  $11 != "–" { tried[$1]++; tried["all"]++ }
  $11 ~ /killed/ { second[$1]++; second["all"]++ }
  $9 != "–" { why[$1, $9]++; why["all", $9]++ }
  END {
    print "| protocol | sites | mutants | killed by Relacy | invisible to Relacy | equivalent | argued | killed by GenMC |"
    print "|---|--:|--:|--:|--:|--:|--:|--:|"
    for (i = 1; i <= protocols; i++) row("[" order[i] "](../" header[order[i]] ")", order[i])
    row("all", "all")
  }' "$new/orderings.tsv" >"$new/numbers"
awk -v numbers="$new/numbers" '
  !inside { print }
  $0 == "<!-- numbers: written by the target orderings -->" {
    inside = 1
    print ""
    while ((getline line < numbers) > 0) print line
    print ""
  }
  $0 == "<!-- end of numbers -->" && inside { inside = 0; found = 1; print }
  END { exit !found }' orderings.md >"$new/orderings.md" || { echo "orderings.md lacks the marks of its numbers" >&2; exit 1; }

status=0
for file in orderings.tsv orderings.md; do
  if [[ $mode != check ]]; then
    cp "$new/$file" "$file"
  elif ! diff -u "$file" "$new/$file"; then
    echo "$file is not what the record says; renew it with: write_orderings.sh write, or the target orderings" >&2
    status=1
  fi
done
exit $status
