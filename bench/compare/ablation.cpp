#include "bench/compare/ablation.hpp"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "bench/cell/variant.hpp"
#include "bench/compare/names.hpp"
#include "results/analysis/statistics.hpp"
#include "results/report/format.hpp"

namespace stealbench::compare {
namespace {

constexpr std::string_view subject = "work-stealing";

/// A workload instance and a worker count: a column.
using place = std::pair<instance, unsigned>;

place place_of(const cell_result& of) { return {of.which.what, of.which.workers}; }

std::string heading_of(const place& where) {
  return fmt::format("{}, {} worker{}", label_of(where.first), where.second,
                     where.second == 1 ? "" : "s");
}

const cell_result* find(const std::vector<cell_result>& cells, std::string_view scheduler,
                        const place& where) {
  const auto found = std::find_if(cells.begin(), cells.end(), [&](const cell_result& each) {
    return each.which.scheduler == scheduler && place_of(each) == where;
  });
  return found == cells.end() ? nullptr : &*found;
}

std::string text_of(const cell_result* of, const cell_result* standard) {
  if (of == nullptr) return std::string(report::missing);
  if (!has_finished(*of)) return "DNF";
  if (standard == nullptr || !has_finished(*standard)) return std::string(report::missing);
  // Both have finished every round, so equal places are the same round.
  return report::ratio_with_interval(analysis::estimate_ratio(
      values_of(*of, &sample::seconds), values_of(*standard, &sample::seconds)));
}

}  // namespace

std::vector<std::string> ablation_schedulers() {
  std::vector<std::string> names{"serial", std::string(subject)};
  for (const stealbench::cell::variant_key& key : stealbench::cell::variant_keys()) {
    for (const std::string_view value : key.values) {
      if (value == key.values.front()) continue;
      names.push_back(stealbench::cell::variant(subject, fmt::format("{}={}", key.name, value))
                          .name_of(subject));
    }
  }
  return names;
}

report::table ablation_table(const std::vector<cell_result>& cells) {
  std::vector<place> places;
  std::vector<std::string> names;
  for (const cell_result& each : cells) {
    const std::string& name = each.which.scheduler;
    places.push_back(place_of(each));
    if (name.substr(0, name.find(':')) == subject) names.push_back(name);
  }
  places = without_repetitions(places);

  report::table made{fmt::format("ablation: median time ÷ that of {} [{}]", subject,
                                 have_intervals(cells) ? "95 %" : "range"),
                     {{"variant", report::alignment::left}},
                     {}};
  for (const place& where : places) made.columns.push_back({heading_of(where)});
  for (const std::string& name : without_repetitions(names)) {
    std::vector<std::string> row{name};
    for (const place& where : places) {
      row.push_back(text_of(find(cells, name, where), find(cells, subject, where)));
    }
    made.rows.push_back(std::move(row));
  }
  return made;
}

}  // namespace stealbench::compare
