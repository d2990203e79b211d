// Tasks that do a known amount of work, and the evidence that each of them ran exactly once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <nlohmann/json.hpp>

#include "workloads/kit/charge.hpp"

namespace stealbench::kit {

/// A number for each task, to which that task alone adds what it has computed: nothing where it
/// never ran, the double where it ran twice. Tasks of different numbers may run at once.
class receipts {
 public:
  /// For tasks of so many steps each (see stepped). Allocates bytes_for(tasks).
  receipts(std::uint64_t tasks, std::uint64_t steps);

  /// As if no task had run.
  void clear();

  /// The task: its steps, then its receipt. Requires: task < tasks().
  void perform(std::uint64_t task);
  /// The same, charged to the worker.
  template <class Worker>
  void perform(Worker worker, std::uint64_t task) {
    perform(task);
    charge(worker, units());
  }
  /// `count` tasks from `first` on, in order.
  void perform_in_order(std::uint64_t first, std::uint64_t count) {
    for (std::uint64_t task = first; task < first + count; ++task) perform(task);
  }

  /// Units of work (kit::charge) of a task: its steps, and two that take as long as its receipt.
  [[nodiscard]] std::uint64_t units() const { return steps_ + 2; }

  /// How many tasks have run exactly once. Linear.
  [[nodiscard]] std::uint64_t ran_once() const;
  /// Whether all have.
  [[nodiscard]] bool complete() const { return ran_once() == tasks_; }

  [[nodiscard]] std::uint64_t tasks() const { return tasks_; }

  /// For tests: as if a scheduler had lost the last task.
  void lose_last() { receipts_[place_of(tasks_ - 1)] = 0; }

  /// Memory for so many tasks.
  [[nodiscard]] static constexpr std::uint64_t bytes_for(std::uint64_t tasks) {
    return lanes * stride_for(tasks) * sizeof(std::uint64_t);
  }

 private:
  // Tasks that follow each other often run at the same time. Their receipts lie in different lanes,
  // lest the price of a task were that of a cache line that goes to and fro; the lanes begin at
  // different places of a page, lest they fall into the same set of the cache: each is an odd
  // number of cache lines, which divides no power of two.
  static constexpr std::uint64_t lanes = 16;
  static constexpr std::uint64_t line = 64 / sizeof(std::uint64_t);
  static constexpr std::uint64_t stride_for(std::uint64_t tasks) {
    return (tasks / lanes / line + 2 + (tasks / lanes / line + 1) % 2) * line;
  }
  [[nodiscard]] std::size_t place_of(std::uint64_t task) const {
    return task % lanes * stride_ + task / lanes;
  }

  std::uint64_t tasks_;
  std::uint64_t steps_;
  std::uint64_t stride_;
  std::vector<std::uint64_t> receipts_;
};

/// Spawns `count` tasks from `first` on into one group, and joins them. Work O(count); span
/// O(count), since one closure spawns them all.
template <class Worker>
void spawn_and_join(Worker worker, receipts& done, std::uint64_t first, std::uint64_t count) {
  auto group = worker->task_group();
  for (std::uint64_t task = first; task < first + count; ++task) {
    group.spawn([&done, task](Worker w) { done.perform(w, task); });
  }
  group.sync();
}

/// What a workload need not say whose tasks leave receipts, `done` in its input, and nothing else
/// that is checked: `struct workload : kit::with_receipts`. A member of its own hides the one here.
struct with_receipts {
  struct output {};  ///< What is to be seen is in the input.

  /// All tasks in order.
  template <class Input>
  static output sequential(Input& in) {
    in.done.perform_in_order(0, in.done.tasks());
    return {};
  }
  template <class Input>
  static void reset(Input& in) {
    in.done.clear();
  }
  template <class Input, class Output>
  static void corrupt(Input& in, Output& /*unused*/) {
    in.done.lose_last();
  }
  template <class Input, class Output>
  static std::optional<bool> verify(const Input& in, const Output& /*unused*/) {
    return in.done.complete();
  }
  template <class Input, class Output>
  static nlohmann::ordered_json answer(const Input& in, const Output& /*unused*/) {
    return {{"ran_once", in.done.ran_once()}};
  }
  template <class Input, class Output>
  static std::uint64_t fork_count(const Input& in, const Output& /*unused*/) {
    return in.done.tasks();
  }
};

}  // namespace stealbench::kit
