#include "bench/micro/search.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace stealbench::costs::micro {

const uts::named_tree& published_tree(std::string_view name) {
  const auto found = std::ranges::find(uts::named_trees(), name, &uts::named_tree::name);
  if (found == uts::named_trees().end()) throw std::out_of_range("no tree " + std::string(name));
  return *found;
}

}  // namespace stealbench::costs::micro
