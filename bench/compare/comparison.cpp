#include "bench/compare/comparison.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <numeric>
#include <optional>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "bench/compare/measure.hpp"
#include "bench/compare/settings.hpp"
#include "results/analysis/statistics.hpp"

namespace stealbench::compare {
namespace {

using nlohmann::ordered_json;

/// As Google Benchmark writes a benchmark that has failed.
ordered_json error_entry(const cell_result& of) {
  const std::string name = name_of(of.which);
  return {{"name", name},
          {"run_name", name},
          {"run_type", "iteration"},
          {"repetitions", 1},
          {"repetition_index", 0},
          {"threads", 1},
          {"error_occurred", true},
          {"error_message", of.failure},
          {"iterations", 0},
          {"real_time", 0.0},
          {"cpu_time", 0.0},
          {"time_unit", "ns"}};
}

/// What the record says of a cell, beside its entries.
ordered_json description_of(const cell_result& of) {
  ordered_json parameters = ordered_json::object();
  for (const auto& [key, value] : of.which.what.set) parameters[key] = value;
  ordered_json failure = nullptr;
  if (!of.failure.empty()) failure = of.failure;
  return {{"name", name_of(of.which)},           {"workload", of.which.what.workload},
          {"parameters", std::move(parameters)}, {"scheduler", of.which.scheduler},
          {"workers", of.which.workers},         {"counters", of.counted},
          {"was_counted", of.was_counted},       {"failure", std::move(failure)}};
}

}  // namespace

comparison::comparison(plan what, record& into)
    : plan_(std::move(what)), record_(into), random_(plan_.seed) {
  for (const cell& each : plan_.cells) results_.emplace_back().which = each;
  if (record_.begun().is_null()) return;
  describe_cells();
  try {
    record_.take_over();
    take_over(record_.begun());
    describe_cells();  // With what they had been counted to do.
  } catch (const nlohmann::json::exception& error) {
    refuse_to_resume(error.what());
  }
}

void comparison::take_over(const ordered_json& begun) {
  const ordered_json& cells = begun.at("context").at("cells");
  if (cells.size() != results_.size()) refuse_to_resume("it has other cells");
  std::map<std::string, cell_result*> by_name;
  for (std::size_t i = 0; i < results_.size(); ++i) {
    const ordered_json& before = cells.at(i);
    cell_result& now = results_[i];
    const std::string name = name_of(now.which);
    if (before.at("name") != name) refuse_to_resume("it does not have the cell " + name);
    if (!before.at("failure").is_null()) before.at("failure").get_to(now.failure);
    now.counted = before.at("counters");
    before.at("was_counted").get_to(now.was_counted);
    by_name.emplace(name, &now);
  }
  spent_before_ = seconds(begun.at("context").at("spent_seconds").get<double>());
  for (const ordered_json& entry : begun.at("benchmarks")) {
    if (entry.contains("error_occurred")) continue;
    const auto found = by_name.find(entry.at("cell").get<std::string>());
    const std::optional<sample> measured = sample_of(entry);
    if (found == by_name.end() || !measured ||
        entry.at("round") != found->second->samples.size() + 1) {
      refuse_to_resume("an entry is not of one of its rounds: " + entry.at("cell").dump());
    }
    found->second->samples.push_back(*measured);
  }
}

// The events are counted after the first round, so that what cannot be counted is known early.
void comparison::run() {
  std::uint64_t rounds = 0;
  do {
    run_round(++rounds);
    if (rounds == 1 && plan_.counts) count_events();
  } while (!is_enough(rounds));
}

bool comparison::is_enough(std::uint64_t rounds) const {
  const stopping_rule& until = plan_.until;
  if (until.rounds) return rounds >= *until.rounds;
  return rounds >= most_rounds || spent() + last_round_ / 2 > until.budget ||
         are_intervals_narrow();
}

bool comparison::are_intervals_narrow() const {
  return std::all_of(results_.begin(), results_.end(), [&](const cell_result& each) {
    if (!has_finished(each)) return true;
    if (each.samples.size() < analysis::fewest_for_interval) return false;
    const analysis::estimate time = analysis::estimate_median(values_of(each, &sample::seconds));
    return relative_half_width(time) <= plan_.until.target;
  });
}

comparison::seconds comparison::spent() const { return spent_before_ + (clock::now() - begin_); }

// By the time that is left to spend, or by what the processes so far have taken each.
outlook comparison::prospects() const {
  const stopping_rule& until = plan_.until;
  const double so_far = spent().count();
  if (!until.rounds) {
    const auto budget = static_cast<double>(until.budget.count());
    return {.done = std::min(1.0, so_far / budget), .seconds_left = std::max(0.0, budget - so_far)};
  }
  const std::uint64_t passes = *until.rounds + (plan_.counts ? 1 : 0);
  const auto all = static_cast<double>(results_.size() * passes);
  double finished = 0;
  for (const cell_result& each : results_) {
    const bool is_done = !each.failure.empty();
    const std::uint64_t of_cell = each.samples.size() + (each.was_counted ? 1 : 0);
    finished += static_cast<double>(is_done ? passes : of_cell);
  }
  outlook ahead{.done = finished / all, .seconds_left = {}};
  if (processes_ > 0) {
    const double each = seconds(clock::now() - begin_).count() / static_cast<double>(processes_);
    ahead.seconds_left = each * (all - finished);
  }
  return ahead;
}

// In an order of its own, so that what drifts with time (heat, other programs) does not favour one
// scheduler.
void comparison::run_round(std::uint64_t round) {
  progress_.begin_stage(fmt::format("round {}", round), prospects());
  std::vector<std::size_t> order(results_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::shuffle(order.begin(), order.end(), random_);
  const clock::time_point begin = clock::now();
  const std::uint64_t processes_before = processes_;
  for (const std::size_t index : order) {
    const cell_result& each = results_[index];
    const bool is_measured = each.samples.size() >= round;  // Before this comparison was resumed.
    if (each.failure.empty() && !is_measured) measure(results_[index], round);
  }
  if (processes_ > processes_before) last_round_ = clock::now() - begin;
}

void comparison::measure(cell_result& of, std::uint64_t round) {
  progress_.begin(name_of(of.which), prospects());
  ++processes_;
  timed_run run =
      run_timed(of.which, plan_.timeout, record_.scratch_file(), watch_, plan_.sample_time);
  if (run.failure.empty()) {
    record_.set_context(run.context);
    of.samples.push_back(run.measured);
  } else {
    fail(of, run.failure);
    run.entry = error_entry(of);
  }
  run.entry["cell"] = name_of(of.which);
  run.entry["round"] = round;
  record_.add(std::move(run.entry));
  save();
}

// Timed runs count nothing, so the counters come from one more run of each cell.
void comparison::count_events() {
  progress_.begin_stage("counting", prospects());
  std::vector<std::string> uncounted;  // Schedulers that have no counters.
  for (cell_result& each : results_) {
    const std::string& scheduler = each.which.scheduler;
    const bool is_uncounted =
        std::find(uncounted.begin(), uncounted.end(), scheduler) != uncounted.end();
    if (each.failure.empty() && !is_uncounted && !each.was_counted) {
      progress_.begin(name_of(each.which), prospects());
      ++processes_;
      each.counted = counters_of(each);
      each.was_counted = true;
      save();
    }
    if (each.failure.empty() && each.was_counted && each.counted.is_null()) {
      uncounted.push_back(scheduler);
    }
  }
}

// Null if the scheduler has none. A cell that fails here has failed as a whole.
ordered_json comparison::counters_of(cell_result& of) {
  try {
    const single_run run = run_once(of.which, plan_.timeout, watch_);
    if (run.failure.empty()) return run.report["counters"];
    fail(of, "counting run: " + run.failure);
  } catch (const workloads::bad_input& error) {
    fail(of, fmt::format("counting run: {}", error.what()));
  } catch (const std::system_error& error) {
    fail(of, fmt::format("counting run: {}", error.what()));
  }
  return nullptr;
}

void comparison::fail(cell_result& of, const std::string& reason) {
  of.failure = reason;
  progress_.note(fmt::format("DNF {}: {}", name_of(of.which), reason));
}

void comparison::describe_cells() {
  ordered_json cells = ordered_json::array();
  for (const cell_result& each : results_) cells.push_back(description_of(each));
  record_.describe("cells", std::move(cells));
}

void comparison::save() {
  describe_cells();
  record_.describe("spent_seconds", spent().count());
  record_.save();
}

}  // namespace stealbench::compare
