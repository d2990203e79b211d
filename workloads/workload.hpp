// The contract of a workload: a program written once, for every scheduler.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>

#include <nlohmann/json.hpp>

#include "schedulers/serial/scheduler.hpp"
#include "workloads/parameters.hpp"

namespace stealbench::workloads {

/// A stateless type that names the parts of one program. The suite calls, in this order,
/// describe, prepare, and then for every repetition: reset, run, verify.
template <class W>
concept workload = requires(const parameters& chosen, typename W::input& input,
                            const typename W::output& output, serial::worker worker) {
  /// Name, parameters and sizes, as `stealbench list` prints them.
  { W::describe() } -> std::same_as<description>;
  /// Makes the input, untimed. Throws bad_input for a combination that has no meaning.
  { W::prepare(chosen) } -> std::same_as<typename W::input>;
  /// Brings an input that a run has used up back to its first state, untimed.
  W::reset(input);
  /// The timed part; templated on the worker.
  { W::run(worker, input) } -> std::same_as<typename W::output>;
  /// Whether the output is right; nothing where no answer is known. After run, before reset.
  { W::verify(input, output) } -> std::same_as<std::optional<bool>>;
  /// The answer as `stealbench run --json` prints it. After run, before reset.
  { W::answer(input, output) } -> std::same_as<nlohmann::ordered_json>;
  /// Branches that the program offers to the scheduler (forks and spawns): the divisor of
  /// "ns per fork". A property of the program, not of the scheduler.
  { W::fork_count(input, output) } -> std::same_as<std::uint64_t>;
};

}  // namespace stealbench::workloads
