// The distributed form of a workload: what a search over several processes needs to know of it
// (schedulers/cluster).
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>

#include "schedulers/cluster/bag.hpp"

namespace stealbench::kit {

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
                                    const typename F::task& task,
                                    cluster::bag<typename F::task>& tasks, typename F::result& into,
                                    const typename F::result& from, typename F::known& known) {
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

/// Expands about `most` tasks on all workers: halves of the bag are expanded by forked branches,
/// each depth-first from the youngest task, and what is left of them stays in the bag. Returns how
/// many were expanded.
template <distributed_form Form, class Worker>
std::uint64_t expand_some(Worker worker, const typename Form::workload::input& in,
                          typename Form::known& known, cluster::bag<typename Form::task>& tasks,
                          typename Form::result& into, std::uint64_t most, std::uint64_t piece) {
  if (tasks.size() < 2 || most <= piece) {
    std::uint64_t expanded = 0;
    for (; expanded < most && !tasks.empty(); ++expanded) {
      const typename Form::task next = tasks.pop();
      Form::expand(in, known, next, tasks, into);
    }
    return expanded;
  }
  cluster::bag<typename Form::task> older = tasks.split();
  typename Form::result of_older{};
  const std::uint64_t half = most / 2;
  const auto [young, old] = worker->fork_join(
      [&](Worker w) { return expand_some<Form>(w, in, known, tasks, into, half, piece); },
      [&](Worker w) {
        return expand_some<Form>(w, in, known, older, of_older, most - half, piece);
      });
  tasks.put_below(std::move(older));
  Form::merge(into, of_older);
  return young + old;
}

}  // namespace stealbench::kit
