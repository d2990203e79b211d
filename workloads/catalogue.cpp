#include "workloads/catalogue.hpp"

#include <cstddef>
#include <utility>

namespace stealbench::workloads {

std::vector<kit::description> descriptions() {
  std::vector<kit::description> all = []<std::size_t... Index>(std::index_sequence<Index...>) {
    return std::vector<kit::description>{std::tuple_element_t<Index, catalogue>::describe()...};
  }
  (std::make_index_sequence<std::tuple_size_v<catalogue>>{});
  for (std::size_t i = 0; i < all.size(); ++i) all[i].family = families[i];
  return all;
}

}  // namespace stealbench::workloads
