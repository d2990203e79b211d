#!/usr/bin/env bash
# What .ci/install asks of apt-get, with a list of packages, an archive and tools of its own.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
cp "$(dirname "$0")/install" "$work"
cat >"$work/packages" <<'PACKAGES'
# Nothing: here is a comment.
base: compiler new|old
base: tool?
extra: browser? sheller?
PACKAGES
mkdir "$work/bin"
# fake NAME: a tool, its text from the input. $have has what is installed, $archive what the distribution has, and $log
# what was called.
fake() { { echo '#!/usr/bin/env bash'; cat; } >"$work/bin/$1"; chmod +x "$work/bin/$1"; }
fake dpkg-query <<<'grep -qx "${@: -1}" "$have" && echo -n "install ok installed"'
fake apt-cache <<<'if [[ $1 == madison ]]; then cat "$archive"; exit; fi
if grep -qx "$2" "$archive"; then echo "  Candidate: 1"; else echo "  Candidate: (none)"; fi'
fake apt-get <<<'echo "apt-get $*" >>"$log"
if [[ $1 == update ]]; then if [[ -f $fetched ]]; then cp "$fetched" "$archive"; fi; exit; fi
shift 4
for package; do grep -qx "$package" "$archive" && [[ $package != broken ]] || exit 100; done
printf "%s\n" "$@" >>"$have"'
fake sudo <<<'exec "$@"'
fake id <<<'echo 1000'
export have=$work/have archive=$work/archive fetched=$work/fetched log=$work/log PATH=$work/bin:$PATH

# expect STATUS CALLS HAVE ARCHIVE GROUP...: the status, and what of the words after `apt-get install` there was.
expect() {
  local status=0 calls
  printf '%s\n' $3 >"$have"
  printf '%s\n' $4 >"$archive"
  : >"$log"
  "$work/install" "${@:5}" >"$work/said" 2>&1 || status=$?
  calls=$(sed -n 's/apt-get install -y -qq --no-install-recommends/+/p' "$log" | xargs)
  if [[ $status != "$1" || $calls != "$2" ]]; then
    echo "install ${*:5}, where '$3' is installed and the distribution has '$4': status $status, '$calls'; expected $1, '$2'"
    cat "$work/said"
    exit 1
  fi
}
says() { grep -qF "$1" "$work/said" || { echo "not said: $1"; cat "$work/said"; exit 1; }; }

expect 0 "+ compiler new + tool" "" "compiler new old tool browser" base
expect 0 "+ compiler old" "" "compiler old" base
says "Left out, since it cannot be had here: tool"
expect 100 "+ compiler new" "" "compiler" base # Ends where apt-get does.
expect 0 "+ compiler new + tool + browser + sheller" "" "compiler new tool browser sheller" all
expect 0 "+ browser" "" "compiler browser" extra
expect 0 "+ new + tool + browser" "compiler" "new tool browser" base extra
expect 0 "+ new" "compiler old tool" "compiler new old tool" base # A later alternative may be too old.
for archive_has in "compiler new old tool" "compiler old tool"; do
  expect 0 "" "compiler ${archive_has:9:3} tool" "$archive_has" base
  [[ ! -s $log && ! -s $work/said ]] || { echo "with nothing missing: $(cat "$log" "$work/said")"; exit 1; }
done
expect 0 "" "compiler new" "compiler new" base # No rights are needed to learn that there is no tool.
[[ ! -s $log ]] || { cat "$log"; exit 1; }
sed -i 's/tool/broken/' "$work/packages"
expect 0 "+ compiler new + broken + browser" "" "compiler new broken browser" base extra
says "Left out, since it cannot be had here: sheller broken"
printf '%s\n' compiler new browser >"$work/fetched" # The archive before the first update is empty.
expect 0 "+ browser" "compiler" "" extra
fake id <<<'echo 0'
expect 0 "+ browser" "compiler" "compiler browser" extra
rm "$work/bin/sudo"
fake id <<<'echo 1000'
if ! command -v sudo >/dev/null; then # Who has no rights does without what is optional.
  expect 0 "" "compiler" "compiler browser" extra
  expect 2 "" "" "compiler new" base
  says "Install them as root: apt-get install compiler new"
fi
expect 2 "" "" "" other
says "'other' is no group; valid: all base extra"
expect 2 "" "" ""
