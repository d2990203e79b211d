#!/usr/bin/env bash
# summary.sh PROGRAM: where a deque's fence is missing, the output ends with what was violated, the variables by their
# names, the last steps, and a command that repeats that execution.
set -euo pipefail
for search in bound:2 random:100; do
  output=$("$1" --suite two_jobs --search $search) && { echo "it has passed"; exit 1; }
  end=${output#*1 of 1 searches failed}
  for part in 'failure: data race on payload#2: ' ' verify/work_stealing/deque_script.hpp:[0-9]+ run' \
              'the last 12 of [0-9]+ steps' '(thread [01] .* chase_lev_deque.hpp:[0-9]+ (pop|steal)\s+){9}' \
              ' (load|compare_exchange) +top = 2 \(was 1\) +seq_cst ' ' load +bottom = 2, an older value +acquire ' \
              ' load +array\[1\] = &payload#2 +relaxed '; do
    grep -qzE -e "$part" <<<"$end" || { printf "no '%s' in: %s\n" "$part" "$end"; exit 1; }
  done
  ! grep '0x' <<<"$end"
  trace=$(sed -n 's/^whole trace: *//p' <<<"$end")
  grep -q 'execution history' "$trace"
  again=$(eval "$(sed -n '$s/^repeat it: *//p' <<<"$end")") && { echo "the repetition has passed"; exit 1; }
  diff <(sed -n '/^failure:/,/^whole/p' <<<"$end" | grep -v ^whole) \
       <(sed -n '/^failure:/,/^whole/p' <<<"$again" | grep -v ^whole)
done
