#include "workloads/catalogue.hpp"

#include <cstddef>
#include <utility>

namespace stealbench::workloads {

std::vector<description> descriptions() {
  return []<std::size_t... Index>(std::index_sequence<Index...>) {
    return std::vector<description>{std::tuple_element_t<Index, catalogue>::describe()...};
  }
  (std::make_index_sequence<std::tuple_size_v<catalogue>>{});
}

}  // namespace stealbench::workloads
