#include "workloads/catalogue.hpp"

#include <cstddef>
#include <set>
#include <stdexcept>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace stealbench::workloads {
namespace {

struct family {
  std::string_view name;
  std::string_view heading;
};

constexpr family headings[] = {{"recursive", "Recursive"},
                               {"loops", "Loops"},
                               {"graphs", "Graphs and grids"},
                               {"stress", "Scheduler stress"},
                               {"added", "Added"}};

std::string row_of(const kit::description& each) {
  const kit::profile& about = each.about;
  const std::string standard =
      fmt::format("{}", fmt::join(instances_in(kit::find_size(each, "standard")), " and "));
  return fmt::format(
      "| [{0}]({9}/{0}/) | {1}<br>*standard:* {2} | *tasks:* {3}<br>*work:* {4}<br>*span:* {5} "
      "| {6} | {7}<br>*source:* {8} |\n",
      each.name, about.shape, standard, about.tasks, about.work, about.span, about.bound_by,
      about.answer, about.source, each.family);
}

}  // namespace

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

std::vector<std::string> instances_in(const kit::size& size) {
  std::vector<std::string> instances;
  for (const auto& assignments : size.instances) {
    std::string words;
    for (const auto& [key, value] : assignments) {
      words += fmt::format("{}{}={}", words.empty() ? "" : " ", key, value);
    }
    instances.push_back(std::move(words));
  }
  return instances;
}

std::string catalogue_table(const std::vector<kit::description>& listed) {
  std::string text;
  for (const family& each : headings) {
    std::string rows;
    for (const kit::description& workload : listed) {
      if (workload.family == each.name) rows += row_of(workload);
    }
    if (rows.empty()) continue;
    text += fmt::format(
        "{}### {}\n\n"
        "| workload | parallelism, standard size | tasks, work, span | bound by "
        "| answer and check, source |\n"
        "| --- | --- | --- | --- | --- |\n{}",
        text.empty() ? "" : "\n", each.heading, rows);
  }
  return text;
}

}  // namespace stealbench::workloads
