// What a machine charges for, in nanoseconds: measured by `stealbench calibrate`, or collected from
// publications. README.md defines each cost.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

namespace stealbench::virtual_machine {

/// The most workers of a simulated scheduler.
inline constexpr unsigned max_workers = 4096;

/// Costs are in nanoseconds.
struct costs {
  double hit = 0;                      ///< A load or store of a line that the processor has.
  double rmw = 0;                      ///< A locked operation on a line that the processor has.
  double fence = 0;                    ///< A seq_cst fence with an empty store buffer.
  double transfer = 0;                 ///< A line comes from another processor of the socket,
  double remote_transfer = 0;          ///< or of another socket.
  unsigned processors_per_socket = 0;  ///< 0: all processors are on one socket.
  double shared_gap = 0;    ///< Between two copies of one line that are handed to readers.
  double look = 0;          ///< At one of many lines in turn, of which the processor has copies.
  double pause = 0;         ///< One spin hint.
  double yield = 0;         ///< sched_yield with no other thread to run.
  double system_call = 0;   ///< A futex call that returns at once.
  double sleep = 0;         ///< From a futex call until the thread is off its processor.
  double wake_call = 0;     ///< What a wake-up of a sleeper costs the waker.
  double wake = 0;          ///< From the beginning of that call until the sleeper runs.
  double membarrier = 0;    ///< A system-wide barrier, for its caller,
  double interrupt = 0;     ///< and for each thread that runs meanwhile.
  double thread_start = 0;  ///< From pthread_create until the thread runs.
  double jitter = 0;        ///< Width of the random part of each charge, as a part of it.
};

/// What the instructions of the engine and of a task's own code around it cost on one strategy.
struct strategy_prices {
  double fork = 0;   ///< A fork_join whose second branch is offered to other workers.
  double call = 0;   ///< A fork_join that runs both branches in order.
  double spawn = 0;  ///< A child of a task group.
  double piece = 0;  ///< A piece of a loop.
};

/// What a unit of a workload's work costs (kit::profile::unit).
struct unit_price {
  std::string workload;
  std::map<std::string, std::string> parameters;  ///< Those that differ from their defaults.
  double ns = 0;
};

/// How far simulated times with a profile are from measured ones (README.md, "Validation").
struct accuracy {
  double median_error = 0;  ///< Of the uncontended cells held out; a part of the measured time.
  double ninth_decile_error = 0;  ///< Nine in ten of them are at most so far off.
  double contended_factor = 0;    ///< Ninth decile of the contended ones: max(s/m, m/s).
  unsigned cells = 0;             ///< Held out.
  std::string date;
};

struct profile {
  std::string name;
  std::string processor;
  std::string date;
  std::string source;        ///< How the costs were measured, or where they were published.
  bool is_measured = false;  ///< By `stealbench calibrate` on that machine.
  virtual_machine::costs costs;
  std::map<std::string, strategy_prices> strategies;  ///< By the name of the scheduler.
  std::vector<unit_price> work;
  std::optional<accuracy> validated;
};

/// Throws std::invalid_argument, which names the member and what is valid.
[[nodiscard]] profile profile_of(const nlohmann::ordered_json& read);
[[nodiscard]] nlohmann::ordered_json json_of(const profile& what);

/// The member `costs` alone. Throws as profile_of.
[[nodiscard]] costs costs_of(const nlohmann::ordered_json& read);
[[nodiscard]] nlohmann::ordered_json json_of(const costs& some);

/// A profile with a member `based_on`, the name of another one in the same folder, takes from that
/// one its costs, schedulers and work that it lacks. Throws std::invalid_argument, which names the
/// file.
[[nodiscard]] profile read_profile(const std::filesystem::path& file);

/// Multiplies a cost: `transfer` (both transfers), `wake` or `jitter`. Throws
/// std::invalid_argument for another name.
void vary(costs& some, std::string_view key, double factor);

/// The prices of a scheduler with settings, `work-stealing:deque=chase-lev:victim=last`: of the
/// scheduler with its deque. Zero where the profile has none.
[[nodiscard]] strategy_prices prices_of(const profile& what, const std::string& scheduler);

/// The price of a unit of an instance, and whose it is: its own, or the first one of its workload.
/// Throws std::invalid_argument if the profile has none of the workload.
[[nodiscard]] const unit_price& price_of(const profile& what, const std::string& workload,
                                         const std::map<std::string, std::string>& parameters);

}  // namespace stealbench::virtual_machine
