// The distributed form of a workload: what a search over several processes needs to know of it
// (schedulers/cluster).
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include "schedulers/cluster/bag.hpp"

namespace stealbench::cluster {

/// What the tasks of most searches share: nothing.
struct nothing_known {
  template <class Input>
  explicit nothing_known(const Input& /*unused*/) {}
  [[nodiscard]] static std::uint64_t value() { return 0; }
  static void offer(std::uint64_t /*unused*/) {}
};

/// A program as a bag of tasks that may be expanded anywhere, in any order.
template <class F>
concept distributed_form = requires(const typename F::workload::input& in,
                                    const typename F::task& task, stack<typename F::task>& tasks,
                                    typename F::result& into, const typename F::result& from,
                                    typename F::known& known) {
  requires std::is_trivially_copyable_v<typename F::task>;
  /// Of a default-constructed value, which is neutral, and of `merge` a commutative monoid:
  /// whichever ranks expand the tasks, in whichever order, the result is the same, bit for bit.
  requires std::is_trivially_copyable_v<typename F::result>;
  /// What all tasks share: a number that only improves. Any thread reads `value` and offers a
  /// better one.
  requires std::constructible_from<typename F::known, const typename F::workload::input&>;
  { known.value() } -> std::same_as<std::uint64_t>;
  known.offer(std::uint64_t{});
  /// What the search begins with.
  F::begin(in, tasks);
  /// Does the task's own work: adds to the result, and pushes the task's children.
  F::expand(in, known, task, tasks, into);
  F::merge(into, from);
  /// What the workload's own program returns.
  { F::output_of(in, from) } -> std::same_as<typename F::workload::output>;
  /// As that of the workload.
  { F::verify(in, from) } -> std::same_as<std::optional<bool>>;
};

/// What a form need not say, if the workload's own check holds in any order of the tasks.
template <class F>
struct distributed_defaults {
  template <class Input, class Result>
  static std::optional<bool> verify(const Input& in, const Result& all) {
    return F::workload::verify(in, F::output_of(in, all));
  }
};

/// Expands up to `most` tasks of each stack, depth-first, on all workers. Returns how many were
/// expanded.
template <distributed_form Form, class Worker>
std::uint64_t expand_some(Worker worker, const typename Form::workload::input& in,
                          typename Form::known& known, bag<typename Form::task>& tasks,
                          typename Form::result& into, std::uint64_t most) {
  struct outcome {
    typename Form::result result{};
    std::uint64_t expanded = 0;
  };
  tasks.spread();
  const std::span<stack<typename Form::task>> stacks = tasks.stacks();
  std::vector<outcome> found(stacks.size());
  worker->parallel_for(std::size_t{0}, stacks.size(), std::size_t{1}, [&](Worker, std::size_t i) {
    stack<typename Form::task>& own = stacks[i];
    outcome so_far;  // Not in `found`, whose neighbours other workers write.
    for (; so_far.expanded < most && !own.empty(); ++so_far.expanded) {
      const typename Form::task next = own.pop();
      Form::expand(in, known, next, own, so_far.result);
    }
    found[i] = so_far;
  });
  std::uint64_t expanded = 0;
  for (const outcome& each : found) {
    Form::merge(into, each.result);
    expanded += each.expanded;
  }
  return expanded;
}

}  // namespace stealbench::cluster
