#!/usr/bin/env bash
# run.sh FUZZER SEEDS FOUND: libFuzzer on two folders of inputs, of which the second may be missing, and on what earlier
# runs have added to a folder beside the fuzzer, for STEALBENCH_FUZZ_SECONDS (15). 20 seconds and 2 GiB are a hundred times
# what an input of this size needs.
set -euo pipefail
mkdir -p "$1_new"
inputs=("$1_new" "$2")
[[ ! -d $3 ]] || inputs+=("$3")
exec "$1" -max_total_time="${STEALBENCH_FUZZ_SECONDS:-15}" -max_len=65536 -timeout=20 -rss_limit_mb=2048 \
  -print_final_stats=1 -artifact_prefix="$1-" "${inputs[@]}"
