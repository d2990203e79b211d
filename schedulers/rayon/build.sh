#!/usr/bin/env bash
# build.sh FOLDER [FLAG...]: builds libstealbench_rayon.a in the folder, with these flags of rustc. With the folder alone:
# prints the versions of rayon and of the compiler, and fails where it cannot be built. The crates come from the folder in
# which the distribution installs them, and never from the network.
set -euo pipefail
RUSTC=$(command -v rustc)
export RUSTC RUSTFLAGS="${*:2}"
mkdir -p "$1/crate"
cp --update --preserve=timestamps Cargo.toml bridge.rs "$1/crate" # cargo writes beside them.
cd "$1/crate"
run() {
  cargo --offline --config 'source.crates-io.replace-with="installed"' \
    --config 'source.installed.directory="/usr/share/cargo/registry"' "$@"
}
if (($# > 1)); then
  run build --quiet --release --target-dir ..
  cmp --quiet ../{release/,}libstealbench_rayon.a || cp ../{release/,}libstealbench_rayon.a
  exit
fi
version=$(run tree --prefix none | sed -nE 's/^(rayon|rayon-core) v([0-9.]+).*/\1 \2/p' | paste -sd , | sed 's/,/, /')
[[ $version == rayon\ *,\ rayon-core\ * ]]
echo "$version, $(rustc --version | grep -oE '^rustc [0-9.]+')"
