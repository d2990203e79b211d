// The contract of a workload: a program written once, for every scheduler. Includes what the header
// of each needs: its description and parameters, the limit of memory, charges, std::optional and
// JSON.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>

#include <nlohmann/json.hpp>

#include "schedulers/serial/scheduler.hpp"
#include "workloads/kit/charge.hpp"
#include "workloads/kit/counting_worker.hpp"
#include "workloads/kit/parameters.hpp"

namespace stealbench::workloads {

/// A stateless type that names the parts of one program. The suite calls, in this order,
/// describe, prepare, and then for every repetition: reset, run, verify.
template <class W>
concept workload = requires(const kit::parameters& chosen, typename W::input& input,
                            const typename W::input& used, const typename W::output& output,
                            typename W::output& mutable_output, serial::worker worker) {
  /// Name, parameters and sizes, as `stealbench list` prints them.
  { W::describe() } -> std::same_as<kit::description>;
  /// Makes the input, untimed. Throws bad_input for a combination that has no meaning, and, before
  /// it allocates anything, for what this machine's memory cannot hold (kit::require_memory).
  { W::prepare(chosen) } -> std::same_as<typename W::input>;
  /// Brings an input that a run has used up back to its first state, untimed.
  W::reset(input);
  /// The timed part; templated on the worker. Where it does its work, it says how much of it by
  /// kit::charge: no code on a real machine, and all that a worker in simulated time knows of it.
  /// The units of a run may not depend on how the scheduler cuts it.
  { W::run(worker, input) } -> std::same_as<typename W::output>;
  /// Whether the output is right; nothing where no answer is known. After run, before reset.
  { W::verify(used, output) } -> std::same_as<std::optional<bool>>;
  /// The answer as `stealbench run --json` prints it. After run, before reset.
  requires std::same_as<decltype(W::answer(used, output)), nlohmann::ordered_json>;
  /// The same answer by plain serial code that knows no worker, or, where leaves hide the recursion
  /// (lu, cholesky, matmul), by its serial elision; from an input as `reset` leaves it. Its
  /// fork_count has no meaning. The serial time that one worker is held against, and what
  /// `verify` compares with where no answer is published.
  { W::sequential(input) } -> std::same_as<typename W::output>;
  /// Injects a fault, as if a scheduler had lost or repeated a task: `verify` must then return
  /// false. After run, before reset.
  W::corrupt(input, mutable_output);
  /// Branches that the program offers to the scheduler (forks, spawns and pieces of loops): the
  /// divisor of "ns per fork". A property of the program, not of the scheduler.
  { W::fork_count(used, output) } -> std::same_as<std::uint64_t>;
};

/// What most workloads need not say: `struct workload : workloads::defaults<workload>`. A member of
/// the workload's own hides the one here.
template <class W>
struct defaults {
  /// For a run that leaves its input as it was.
  template <class Input>
  static void reset(Input& /*unused*/) {}

  /// For an output that is itself the answer.
  template <class Input, class Output>
  static nlohmann::ordered_json answer(const Input& /*unused*/, const Output& out) {
    return out;
  }

  /// Equal to the sequential version's, which runs anew for each call. For programs whose answer no
  /// formula gives.
  template <class Input, class Output>
  static std::optional<bool> verify(const Input& in, const Output& out) {
    Input fresh = in;
    W::reset(fresh);
    return out == W::sequential(fresh);
  }

  /// For a number: a task that was counted twice.
  template <class Input, std::integral Output>
  static void corrupt(Input& /*unused*/, Output& out) {
    ++out;
  }

  /// Runs the program once more, on a copy of the input, and counts. For programs without a
  /// formula.
  template <class Input, class Output>
  static std::uint64_t fork_count(const Input& in, const Output& /*unused*/) {
    Input fresh = in;
    W::reset(fresh);
    std::uint64_t branches = 0;
    static_cast<void>(W::run(kit::counting_worker{&branches}, fresh));
    return branches;
  }
};

/// A copy of the input as the sequential version leaves it: what a check compares with.
template <class W>
[[nodiscard]] typename W::input after_sequential(typename W::input copy) {
  W::reset(copy);
  W::sequential(copy);
  return copy;
}

}  // namespace stealbench::workloads
