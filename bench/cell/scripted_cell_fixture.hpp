// A cell that does what a script says, in time that the test sets: every phase of a run takes
// another time and uses something else of the machine, so that a value of the wrong phase is wrong.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "bench/cell/cell.hpp"
#include "bench/system/fake_time_fixture.hpp"
#include "bench/system/usage.hpp"

namespace stealbench::cell {

using namespace std::chrono_literals;

/// What a phase takes.
struct phase {
  std::chrono::nanoseconds wall{};
  system::usage used = {};

  void pass() const {
    system::fake_time::pass(wall);
    system::fake_time::use(used);
  }
};

struct script {
  phase reset{.wall = 7s,
              .used = {.user_seconds = 6.5,
                       .system_seconds = 0.25,
                       .voluntary_switches = 700,
                       .forced_switches = 70}};
  /// Of the first run, the second one and so on; the later ones are as the last of these.
  std::vector<phase> runs{{.wall = 40ms}};
  phase check{.wall = 3s,
              .used = {.user_seconds = 2.5,
                       .system_seconds = 0.125,
                       .voluntary_switches = 300,
                       .forced_switches = 30}};
  std::set<std::size_t> wrong_runs = {};  ///< From 1.
  bool is_known = true;                   ///< Whether there is an answer to compare with.
  std::chrono::nanoseconds start_up{};
  system::usage used_elsewhere = {};
  std::uint64_t fork_count = 0;
  unsigned worker_count = 1;
  std::optional<schedulers::counters> counters = {};  ///< Of the first run; the n-th counts n-fold.
  nlohmann::ordered_json own_counters = nullptr;
  std::function<void(std::size_t)> at_run = [](std::size_t /*number*/) {};
};

/// Times of runs that use nothing.
[[nodiscard]] inline std::vector<phase> taking(
    const std::vector<std::chrono::milliseconds>& times) {
  std::vector<phase> runs;
  runs.reserve(times.size());
  for (const auto time : times) runs.push_back({.wall = time});
  return runs;
}

class scripted_cell : public cell {
 public:
  explicit scripted_cell(script what) : script_(std::move(what)) {}

  void reset() override {
    script_.reset.pass();
    is_reset_ = true;
  }
  void execute() override {
    is_wrong_ = !std::exchange(is_reset_, false);  // It would run on what the last run has left.
    const std::size_t last = script_.runs.size() - 1;
    script_.runs[std::min(runs_, last)].pass();
    script_.at_run(++runs_);
    is_wrong_ = is_wrong_ || script_.wrong_runs.contains(runs_);
  }
  [[nodiscard]] std::optional<bool> verified() const override {
    script_.check.pass();
    return script_.is_known ? std::optional(!is_wrong_) : std::nullopt;
  }
  [[nodiscard]] nlohmann::ordered_json answer() const override { return {{"run", runs_}}; }
  [[nodiscard]] std::uint64_t fork_count() const override { return script_.fork_count; }
  [[nodiscard]] unsigned worker_count() const override { return script_.worker_count; }
  [[nodiscard]] std::chrono::nanoseconds start_up() const override { return script_.start_up; }
  [[nodiscard]] system::usage used_elsewhere() const override { return script_.used_elsewhere; }
  [[nodiscard]] std::optional<schedulers::counters> counters() const override {
    if (!script_.counters) return {};
    schedulers::counters all = *script_.counters;
    const std::size_t times = runs_ * (runs_ + 1) / 2;
    for (const auto& [name, value, is_sum] : schedulers::every_counter) {
      if (is_sum) all.*value *= times;
    }
    for (schedulers::worker_counters& each : all.per_worker) {
      each.jobs_run *= times;
      each.busy_ns *= times;
    }
    return all;
  }
  [[nodiscard]] nlohmann::ordered_json own_counters() const override {
    return script_.own_counters;
  }

 private:
  script script_;
  std::size_t runs_ = 0;
  bool is_reset_ = false;
  bool is_wrong_ = false;
};

[[nodiscard]] inline std::unique_ptr<cell> play(script what) {
  return std::make_unique<scripted_cell>(std::move(what));
}

}  // namespace stealbench::cell
