#!/usr/bin/env bash
# run.sh SECONDS FUZZER SEEDS FOUND: libFuzzer on two folders of inputs, of which the second may be missing, and on what
# earlier runs have added to a folder beside the fuzzer. 20 seconds and 2 GiB are a hundred times what an input of this size needs.
set -euo pipefail
mkdir -p "$2_new"
inputs=("$2_new" "$3")
[[ ! -d $4 ]] || inputs+=("$4")
exec "$2" -max_total_time="$1" -max_len=65536 -timeout=20 -rss_limit_mb=2048 -print_final_stats=1 \
  -artifact_prefix="$2-" "${inputs[@]}"
