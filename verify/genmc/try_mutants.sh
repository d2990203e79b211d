#!/usr/bin/env bash
# Runs GenMC over the shipped orderings and over every mutant of the ordering matrices, and prints a
# line for each, as verdicts.txt has them.
#   try_mutants.sh GENMC PROGRAM...            PROGRAM: an executable with --mutants
#   try_mutants.sh GENMC -w RECORD PROGRAM...  writes them there
#   try_mutants.sh GENMC -r RECORD PROGRAM...  fails if one is killed here and not there, or
#                                              the other way round
# It takes clang++ and opt of the version of LLVM that GENMC was built with.
set -euo pipefail
genmc=$1 version=$("$1" --version 2>&1 | sed -n 's/.*LLVM \([0-9]*\).*/\1/p' | head -n 1)
llvm=${GENMC_LLVM:-/usr/lib/llvm-$version/bin}
[[ -x $llvm/clang++ && -x $llvm/opt ]] || { echo "$genmc needs clang++ and opt of LLVM $version, in $llvm" >&2; exit 1; }
shift
mode='' record=''
if [[ $1 == -[rw] ]]; then mode=$1 record=$2; shift 2; fi
root=$(cd "$(dirname "$0")/../.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# GenMC alone simplifies the program, but it takes no exceptions and few intrinsics; and it looks
# into the tables of types that a throw names, which the library defines.
passes='function(lowerinvoke),always-inline,cgscc(inline),function(lower-constant-intrinsics,sroa,'
passes+='instsimplify,sccp,instcombine,simplifycfg),globaldce'
compile() { # CLIENT FLAG... > LLVM code
  local client=$1
  shift
  "$llvm/clang++" -std=c++20 -O1 -I"$root" -Xclang -disable-llvm-passes -Xclang \
    -disable-lifetime-markers -fno-c++-static-destructors -c -emit-llvm "$@" \
    "$root/verify/genmc/$client.cpp" -o - |
    "$llvm/opt" -S -passes="$passes" |
    sed -E 's/^(@_ZT[^ ]+ = )external (.*(global|constant) [^,]*)/\1\2 zeroinitializer, align 8/
            s/^(@_ZT.*)available_externally /\1/'
}

# The client of a protocol, its flags and, where Relacy's run a whole scheduler, its own scripts.
client_of() { # PROTOCOL
  flags=() scripts=()
  case $1 in
    chase_lev_deque) client=deque ;;
    abp_deque) client=deque flags=(-DABP) ;;
    latch) client=latch scripts=(sleeping registering woken_early declined_working declined_two_thieves) ;;
    'parking_lot without membarrier') client=parking_lot flags=(-DFENCE_PAIR=false) ;;&
    parking_lot) client=parking_lot flags=(-DFENCE_PAIR=true) ;;&
    parking_lot*) scripts=(one_job taken_back asked_by_two two_jobs) ;;
    directed_lot*) client=directed_lot scripts=(two_workers two_pushers) ;;
    *) client=$1 ;;
  esac
  own=${scripts[*]}
  [ -e "$root/verify/genmc/$client.cpp" ]
}
# The longest scripts are played over the shipped orderings alone. Two sleepers are not, since under IMM they do not
# end within ten minutes; what two_jobs kills it kills at once.
is_left_out() { # PROTOCOL SCRIPT SITE
  case $1/$2 in
    parking_lot*/two_jobs) [ "$3" != hand_over ] ;;
    */two_thieves_growth | */three_thieves) [ "$3" != shipped ] ;;
    *) false ;;
  esac
}

verdict_of() { # PROTOCOL SITE FLAG...
  local protocol=$1 site=$2 memory script total said verdict=
  shift 2
  rm -f "$scratch"/*.ll
  for memory in rc11 imm; do
    total=0
    for script in "${scripts[@]}"; do
      is_left_out "$protocol" "$script" "$site" && continue
      local code=$scratch/$script.ll
      [ -e "$code" ] || compile "$client" "${flags[@]}" -DSCRIPT="$script" "$@" > "$code"
      said=$("$genmc" --$memory -disable-mm-detector -disable-estimation -disable-spin-assume -disable-load-annotation \
        -check-liveness -input-from-bitcode-file "$code" 2>&1) || true
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
    verdict+="; ${memory^^}: survived $total executions"
  done
  echo "${verdict#; }"
}

# Of a site's mutants the first is the weakest, and allows whatever the others allow.
verdicts() {
  local kind name weakened_to protocol='' started='' site='' survivor='' verdict value
  while read -r kind name weakened_to; do
    case $kind in
      protocol)
        protocol="$name${weakened_to:+ $weakened_to}" started='' site=''
        client_of "$protocol" || protocol=''
        ;;
      script) [ -n "$own" ] || scripts+=("$name") ;;
      mutant)
        [ -n "$protocol" ] || continue
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
  {
    echo "# Written by the target genmc_verdicts (try_mutants.sh): protocol | site | weakened to | verdict"
    "$genmc" --version 2>&1 | sed -En 's/^ *(GenMC v[0-9.]+).*/\1/p' | head -1
    cat "$scratch/now"
  } > "$record"
  exit
fi
# Numbers and scripts may differ with the version.
brief() { sed -E '/^#/d; s/killed[^;]*/killed/g; s/survived[^;]*/survived/g' "$@" | sort; }
on_record() { sed -n 's/ | shipped.*//p' "$scratch/now" | while read -r of; do grep "^$of |" "$record" || true; done; }
diff <(on_record | brief) <(brief "$scratch/now") ||
  { echo "'<' is on record in $record, '>' is so now; the target genmc_verdicts writes it anew." >&2; exit 1; }
