#include "results/dataset/cell.hpp"

#include <charconv>
#include <cstdint>
#include <system_error>

#include <fmt/format.h>

namespace stealbench::dataset {

std::string label_of(const instance& what) {
  std::string label = what.workload;
  for (const auto& [key, value] : what.parameters) label += fmt::format(" {}={}", key, value);
  return label;
}

std::optional<double> number_of(const instance& what, const std::string& parameter) {
  std::uint64_t number = 0;
  for (const auto& [key, value] : what.parameters) {
    if (key != parameter) continue;
    const char* const end = value.data() + value.size();
    const auto result = std::from_chars(value.data(), end, number);
    if (result.ec == std::errc{} && result.ptr == end) return static_cast<double>(number);
  }
  return {};
}

instance without(instance what, const std::string& parameter) {
  std::erase_if(what.parameters, [&](const auto& each) { return each.first == parameter; });
  return what;
}

std::string name_of(const cell& which) {
  std::string name = fmt::format("{}/{}", which.what.workload, which.scheduler);
  for (const auto& [key, value] : which.what.parameters) name += fmt::format("/{}:{}", key, value);
  name += fmt::format("/workers:{}", which.workers);
  if (!which.varied.empty()) name += fmt::format("/vary:{}", which.varied);
  if (!which.build.empty()) name += fmt::format("/build:{}", which.build);
  return which.machine.empty() ? name : fmt::format("{}/machine:{}", name, which.machine);
}

std::string reason_of(const measured_cell& cell) {
  return cell.failure.empty() ? "not measured, the experiment is unfinished" : cell.failure;
}

unsigned workers_of(const measured_cell& cell) {
  if (cell.samples.empty()) return cell.which.workers;
  return static_cast<unsigned>(cell.samples.front()[metric::worker_count].value());
}

std::vector<double> values_of(const measured_cell& cell, metric which) {
  std::vector<double> values;
  for (const sample& each : cell.samples) {
    const std::optional<double> value = each[which];
    if (!value) return {};
    values.push_back(*value);
  }
  return values;
}

std::optional<double> counter_of(const measured_cell& cell, const char* name) {
  if (!cell.counters.is_object()) return {};
  const auto found = cell.counters.find(name);
  if (found == cell.counters.end() || !found->is_number()) return {};
  return found->get<double>();
}

}  // namespace stealbench::dataset
