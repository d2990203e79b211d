#include "workloads/catalogue.hpp"

#include <cstddef>
#include <set>
#include <stdexcept>
#include <string_view>

#include <fmt/format.h>

namespace stealbench::workloads {
std::vector<kit::description> descriptions() {
  std::vector<kit::description> all = []<std::size_t... Index>(std::index_sequence<Index...>) {
    return std::vector<kit::description>{std::tuple_element_t<Index, catalogue>::describe()...};
  }
  (std::make_index_sequence<std::tuple_size_v<catalogue>>{});
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i].family = families[i];
    if (names.insert(all[i].name).second) continue;
    throw std::logic_error(fmt::format("two workloads have the name '{}'", all[i].name));
  }
  return all;
}

}  // namespace stealbench::workloads
