#!/usr/bin/env bash
# write_list.sh FOLDER PREFIX NAMES TYPE=HEADER...: chooses workloads, all or NAME;NAME..., and prints their rooms. Writes
# list.hpp, with each in the order of `stealbench list` and of the tables, and texts.hpp, with what describes it; only if
# that has changed. The headers of rooms are included with the prefix; those after the names are another project's.
set -euo pipefail
cd "$(dirname "$0")"
folder=$1 prefix=$2 names=$3
shift 3
includes='' types='' families='' texts=''
# add HEADER TYPE FAMILY
add() {
  includes+="#include \"$1\""$'\n'
  types+="${types:+, }$2"
  families+="${families:+, }\"$3\""
}
valid=''
for family in recursive loops graphs stress; do
  for room in "$family"/*/; do
    room=${room%/} name=$(basename "$room")
    valid+=" $name"
    [[ $names == all || ";$names;" == *";$name;"* ]] || continue
    echo "$room"
    add "${prefix}workloads/$room/$name.hpp" "$name::workload" "$family"
    [[ ! -e $room/$name.txt ]] || texts+="    {\"$name\", R\"text($(<"$room/$name.txt")"$'\n)text"},\n'
  done
done
for name in ${names//;/ }; do
  if [[ " all$valid " != *" $name "* ]]; then
    echo "STEALBENCH_WORKLOADS: '$name' is unknown. Valid: all, or any of$valid" >&2
    exit 2
  fi
done
for workload; do add "${workload#*=}" "${workload%%=*}" added; done

# write FILE: its text from the input.
write() {
  local text
  text=$(cat)
  mkdir -p "$folder"
  [[ -f $folder/$1 && $(<"$folder/$1") == "$text" ]] || echo "$text" >"$folder/$1"
}
write list.hpp <<END
// Written by workloads/write_list.sh.
#pragma once

#include <string_view>
#include <tuple>

#include "${prefix}workloads/workload.hpp"
$includes
namespace stealbench::workloads {

template <workload... Each>
using tuple_of = std::tuple<Each...>;

/// Every workload of the suite, in the order in which it is listed.
using catalogue = tuple_of<$types>;

/// The family of each.
inline constexpr std::string_view families[]{$families};

}  // namespace stealbench::workloads
END
write texts.hpp <<END
// The description of each room, from its <name>.txt. Written by workloads/write_list.sh.
#pragma once

#include <string_view>
#include <utility>

namespace stealbench::workloads {

inline constexpr std::pair<std::string_view, std::string_view> texts[]{
$texts};

}  // namespace stealbench::workloads
END
