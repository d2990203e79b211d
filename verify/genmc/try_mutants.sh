#!/usr/bin/env bash
# Runs GenMC over the shipped orderings and over every mutant of the ordering matrices, and prints a
# line for each, as verdicts.txt has them.
#   try_mutants.sh GENMC PROGRAM...            PROGRAM: an executable with --mutants
#   try_mutants.sh GENMC -w RECORD PROGRAM...  writes them there, with a hash of what was searched;
#                                              keeps what is there of other protocols
#   try_mutants.sh GENMC -r RECORD PROGRAM...  fails if one is killed here and not there, or
#                                              the other way round
# It takes clang++ and opt of the version of LLVM that GENMC was built with, and ends a search of
# one script after GENMC_SECONDS seconds of processor time, 600 unless set.
set -euo pipefail
genmc=$1 version=$("$1" --version 2>&1 | sed -n 's/.*LLVM \([0-9]*\).*/\1/p' | head -n 1)
llvm=${GENMC_LLVM:-/usr/lib/llvm-$version/bin}
[[ -x $llvm/clang++ && -x $llvm/opt ]] || { echo "$genmc needs clang++ and opt of LLVM $version, in $llvm" >&2; exit 1; }
shift
mode='' record=''
if [[ $1 == -[rw] ]]; then mode=$1 record=$2; shift 2; fi
most_seconds=${GENMC_SECONDS:-600}
root=$(cd "$(dirname "$0")/../.." && pwd)
checker=$("$genmc" --version 2>&1 | sed -En 's/^ *(GenMC v[0-9.]+).*/\1/p' | head -1)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# GenMC alone simplifies the program, but it takes no exceptions and few intrinsics; and it looks
# into the tables of types that a throw names, which the library defines.
passes='function(lowerinvoke),always-inline,cgscc(inline),function(lower-constant-intrinsics,sroa,'
passes+='instsimplify,sccp,instcombine,simplifycfg),globaldce'
compile() { # CLIENT FLAG... > LLVM code
  local source=$root/verify/genmc/$1.cpp headers=$scratch/$1.hpp
  shift
  local clang=("$llvm/clang++" -std=c++20 -O1 -I"$root" -Xclang -disable-llvm-passes -Xclang
    -disable-lifetime-markers -fno-c++-static-destructors)
  # The protocol's, which no flag changes, are nine tenths of the time.
  if [ ! -e "$headers.pch" ]; then
    sed -n '/^#include "schedulers/p' "$source" > "$headers"
    "${clang[@]}" -x c++-header "$headers" -o "$headers.pch"
  fi
  "${clang[@]}" -include-pch "$headers.pch" -c -emit-llvm "$@" "$source" -o - |
    "$llvm/opt" "${options[@]}" -S -passes="$passes" |
    sed -E 's/^(@_ZT[^ ]+ = )external (.*(global|constant) [^,]*)/\1\2 zeroinitializer, align 8/
            s/^(@_ZT.*)available_externally /\1/
            s/@llvm\.umul\.with\.overflow\.i64/@product/; /^declare .*@product\(/d'
  # The size of an array.
  echo 'define { i64, i1 } @product(i64 %a, i64 %b) {
    %product = mul i64 %a, %b
    %first = insertvalue { i64, i1 } undef, i64 %product, 0
    %both = insertvalue { i64, i1 } %first, i1 false, 1
    ret { i64, i1 } %both
  }'
}

# The client of a protocol, its flags, opt's and, where Relacy's run a whole scheduler, its own scripts.
client_of() { # PROTOCOL
  flags=() options=() scripts=()
  client=$1
  case $1 in
    latch) scripts=(sleeping registering woken_early declined_working declined_two_thieves) ;;
    'parking_lot without membarrier') client=parking_lot flags=(-DFENCE_PAIR=false) ;;&
    parking_lot*) client=parking_lot scripts=(one_job taken_back asked_by_two taken_back_at_pushes one_job_at_a_beat two_jobs) ;;
    directed_lot*) client=directed_lot scripts=(two_workers two_pushers) ;;
    search) scripts=(one_job stopped two_jobs_in_turn) ;;
    run_gate) scripts=(two_runs run_and_end two_runs_and_end) ;;
    'fork of fibers') client=fibers_join flags=(-DMUTANT_FORK) scripts=(stolen_branch) ;;
    'sync of fibers')
      client=fibers_join flags=(-DMUTANT_SYNC) scripts=(one_child two_children two_children_unasked)
      ;;
    'root of fibers') client=fibers_join flags=(-DMUTANT_ROOT) scripts=(root) ;;
    split_deque)
      scripts=(share force force_and_steal two_thieves share_half share_all share_oldest share_few share_rest
        share_rest_two_thieves share_rest_meets_force share_rest_above_stolen force_meets_share two_thieves_force)
      ;;
    # Its pop calls itself. GenMC takes a local that stays in memory for freed once its function is called again.
    bwos_deque) options=(-inline-threshold=5000) ;;
    private_deque) scripts=(ask ask_twice ask_another slot_reuse two_thieves wait_and_give) ;;
    locked_deque) scripts=(push_and_steal last_element growth_from_one push_pop_steal wrap_around push_refused) ;;
  esac
  own=${scripts[*]}
  [ -e "$root/verify/genmc/$client.cpp" ]
}
# The longest scripts are played over the shipped orderings alone. Two sleepers are not, since under IMM they do not
# end within ten minutes; and what two_jobs kills it kills at once.
is_left_out() { # PROTOCOL SCRIPT SITE
  case $1/$2/$3 in
    parking_lot*/two_jobs/hand_over) false ;;
    parking_lot*/two_jobs/* | parking_lot*/hand_over) true ;;
    */two_thieves_growth/shipped | */three_thieves/shipped) false ;;
    */two_thieves_growth/* | */three_thieves/*) true ;;
    bwos_deque/*/shipped | bwos_deque/opened_for_another/force_*) false ;;
    bwos_deque/in_a_block/* | bwos_deque/exposed_to_two/* | bwos_deque/opened_for_another/*) true ;;
    bwos_deque/memory_twice_two_thieves/* | bwos_deque/reopened/*) true ;;
    *) false ;;
  esac
}
# What needs a second sleeper, or is not in the header that the client runs.
is_elsewhere() { # PROTOCOL SITE
  case $1/$2 in
    parking_lot*/wait_for_lock | parking_lot*/hand_over_waits) true ;;
    search/second_look | search/look_after_wake | search/stop_search) false ;;
    search/*) true ;;
    *) false ;;
  esac
}

verdict_of() { # PROTOCOL SITE FLAG...
  local protocol=$1 site=$2 memory script total said unfinished verdict=
  shift 2
  rm -f "$scratch"/*.ll
  for memory in rc11 imm; do
    total=0 unfinished=''
    for script in "${scripts[@]}"; do
      is_left_out "$protocol" "$script" "$site" && continue
      local code=$scratch/$script.ll status=0
      [ -e "$code" ] || compile "$client" "${flags[@]}" -DSCRIPT="$script" "$@" > "$code"
      said=$(ulimit -St "$most_seconds" && "$genmc" --$memory -disable-mm-detector -disable-estimation -disable-spin-assume \
        -disable-load-annotation -check-liveness -input-from-bitcode-file "$code" 2>&1) || status=$?
      if [ "$status" = 152 ]; then  # SIGXCPU
        unfinished+=", \`$script\` not finished in $most_seconds s, no error until then"
        continue
      fi
      local executions error
      executions=$(sed -n 's/^Number of complete executions explored: //p' <<< "$said")
      error=$(sed -n 's/^Error: \(.*\)!$/\1/p' <<< "$said")
      if [ -n "$error" ]; then
        verdict+="; ${memory^^}: killed: \`$script\` after $executions executions: $error"
        continue 2
      elif [[ $said != *'No errors were detected.'* || ! $executions -gt 0 ]]; then
        printf '%s\n' "GenMC over $protocol/$script $*:" "$said" >&2
        exit 2
      fi
      total=$((total + executions))
    done
    verdict+="; ${memory^^}: survived $total executions$unfinished"
  done
  echo "${verdict#; }"
}

# Of a site's mutants the first is the weakest, and allows whatever the others allow. Before a protocol's own, what was
# searched, for searched.sh.
verdicts() {
  local kind name weakened_to protocol='' started='' site='' survivor='' verdict value
  while read -r kind name weakened_to; do
    case $kind in
      protocol)
        protocol="$name${weakened_to:+ $weakened_to}" started='' site=''
        client_of "$protocol" || protocol=''
        ;;
      script)
        # Without a system-wide fence, or with it: the same here.
        name=${name%_symmetric}
        [ -n "$own" ] || [[ " ${scripts[*]-} " == *" $name "* ]] || scripts+=("$name")
        ;;
      mutant)
        [ -n "$protocol" ] || continue
        ! is_elsewhere "$protocol" "$name" || continue
        [ -n "$started" ] || verdicts_on_shipped
        started=yes
        value=order::$weakened_to
        [ "$weakened_to" = 'left out' ] && value=false
        if [ "$site" = "$name" ] && [ -n "$survivor" ]; then
          verdict="survived, as \`$survivor\` does"
        else
          verdict=$(verdict_of "$protocol" "$name" -DSITE="$name" -DWEAKENED_TO="$value")
          [ "$site" = "$name" ] || survivor=$weakened_to
          [[ $verdict != *killed* ]] || survivor=''
        fi
        site=$name
        echo "$protocol | $name | $weakened_to | $verdict"
        ;;
    esac
  done
}
verdicts_on_shipped() {
  local verdict
  echo "# $protocol: $client, searched on $(date -u +%F) by $checker"
  "$root/verify/genmc/searched.sh" "$client" | sed 's/^/#   /'
  verdict=$(verdict_of "$protocol" shipped)
  echo "$protocol | shipped |  | $verdict"
  [ "$protocol" = split_deque ] || return 0
  # No member of its struct, so no mutant of its matrix.
  verdict=$(verdict_of "$protocol" '' -DNO_COMPILER_FENCE)
  [[ $verdict == *killed*killed* ]] || { echo "No compiler fence: $verdict" >&2; exit 1; }
  echo "# $protocol without its compiler fence: $verdict"
}

for program in "$@"; do "$program" --mutants; done > "$scratch/mutants"
[ -n "$mode" ] || { verdicts < "$scratch/mutants"; exit; }
verdicts < "$scratch/mutants" | tee "$scratch/now"
if [ "$mode" = -w ]; then
  # In the order of the record, and what is new behind.
  awk -v checker="$checker" '
    function begins() { return match($0, /^# [^ ].*: [a-z_]+, searched on /) }
    FNR == 1 { of = "" }
    begins() { of = substr($0, 3, index($0, ": ") - 3); if (!(of in block)) order[++count] = of; block[of] = "" }
    of != "" { block[of] = block[of] $0 "\n" }
    END {
      print "# Written by the target genmc_verdicts (try_mutants.sh): protocol | site | weakened to | verdict"
      print checker
      for (i = 1; i <= count; ++i) printf "%s", block[order[i]]
    }' "$record" "$scratch/now" > "$scratch/record"
  cp "$scratch/record" "$record"
  exit
fi
# Numbers and scripts may differ with the version.
brief() { sed -E '/^#/d; s/killed[^;]*/killed/g; s/survived[^;]*/survived/g' "$@" | sort; }
on_record() { sed -n 's/ | shipped.*//p' "$scratch/now" | while read -r of; do grep "^$of |" "$record" || true; done; }
diff <(on_record | brief) <(brief "$scratch/now") ||
  { echo "'<' is on record in $record, '>' is so now; the target genmc_verdicts writes it anew." >&2; exit 1; }
