#!/usr/bin/env bash
# Builds two commits, each in a worktree below build/ab, and measures them in the same rounds:
#   bench/ab.sh REF_A REF_B [-- ARGUMENT...]
# The arguments are those of `stealbench compare` of REF_B, whose exit status it ends with. Builds the
# schedulers that --schedulers names, else those that are compared by default, and only what has changed since the last
# call. The results are in build/ab/results. A GitHub Action has the report as the summary of its job, too.
set -euo pipefail
cd "$(dirname "$0")/.."
unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE # Of a hook: each worktree has its own.
fail() {
  echo "bench/ab.sh: $1" >&2
  exit 2
}
if (($# < 2)) || [[ ${3---} != -- ]]; then fail "usage: bench/ab.sh REF_A REF_B [-- ARGUMENT...], where stealbench compare --help has the arguments"; fi
refs=("$1" "$2")
commits=()
for ref in "${refs[@]}"; do
  commit=$(git rev-parse --verify --quiet "$ref^{commit}") ||
    fail "'$ref' is no commit; valid: a branch, tag or commit of this repository"
  commits+=("$commit")
done
shift $(($# > 2 ? 3 : 2))
if [[ " $*" != *" --calm"* ]]; then set -- --calm 60 "$@"; fi # Until the compiler, and what else runs here, has stopped.

names='' last=''
for word; do
  if [[ $last =~ ^--schedulers?$ ]]; then names=$word; fi
  if [[ $word =~ ^--schedulers?= ]]; then names=${word#*=}; fi
  last=$word
done
targets=(comparison) deques=()
if [[ $names == all ]]; then
  targets=(all)
elif [[ $names ]]; then
  targets=(stealbench)
  for name in ${names//,/ }; do
    targets+=("stealbench-${name%%:*}")
    # A deque is an executable of its own, unless it is the default.
    if [[ $name =~ ^([^:]*).*:deque=([^:]*) ]]; then deques+=("stealbench-${BASH_REMATCH[1]}.${BASH_REMATCH[2]}"); fi
  done
fi

# build FOLDER REF COMMIT
build() {
  if [[ -e $1/.git ]]; then
    git -C "$1" checkout --quiet --detach "$3"
  else
    git worktree prune
    git worktree add --quiet --detach "$1" "$3"
  fi
  echo "== $2 ($3) in $1" >&2
  cmake -S "$1" --preset compare >&2
  local all=("${targets[@]}") deque existing
  existing=$(cmake --build "$1/build/compare" --target help)
  for deque in "${deques[@]}"; do
    if [[ $existing == *"$deque:"* ]]; then all+=("$deque"); fi
  done
  cmake --build "$1/build/compare" --target "${all[@]}" >&2
}
build build/ab/a "${refs[0]}" "${commits[0]}"
build build/ab/b "${refs[1]}" "${commits[1]}"

status=0
build/ab/b/build/compare/stealbench compare --against build/ab/a/build/compare --output build/ab/results "$@" ||
  status=$?
if [[ ${GITHUB_STEP_SUMMARY-} ]] && ((status < 2)); then cat build/ab/results/compare.md >>"$GITHUB_STEP_SUMMARY"; fi
exit $status
