// What a reader of a table may ask of a strategy: a scheduler, or one value of a setting.
#pragma once

#include <string>
#include <string_view>

namespace stealbench::schedulers {

/// A text is one sentence or phrase, without a full stop. Empty: there is none.
struct description {
  std::string group = {};    ///< Of a scheduler: those that it is listed with.
  std::string summary = {};  ///< What it does.
  std::string paper = {};    ///< Where it comes from.
  std::string bound = {};    ///< What has been proved of it; of its paper's strategy, not of ours.
  /// Of a scheduler: the strategy that it differs from in one thing, with which an ablation
  /// compares it. Empty: work stealing with its defaults.
  std::string compared_with = {};

  friend bool operator==(const description&, const description&) = default;
};

/// The groups, in the order in which they are listed.
namespace group {
inline constexpr const char* baseline = "Baselines";
inline constexpr const char* stealing =
    "Stealing: each worker has its own tasks, who has none takes some";
inline constexpr const char* pool = "One pool of tasks for all workers";
inline constexpr const char* placement = "Placement: the spawning worker, or a balancer, decides";
inline constexpr const char* library = "Libraries";
inline constexpr const char* from_source = "Libraries that are installed from source";
inline constexpr const char* cluster = "Several processes: a search, not forks and joins";
inline constexpr const char* none = "";  ///< Of a scheduler that does not say.
inline constexpr const char* all[]{baseline, stealing,    pool,    placement,
                                   library,  from_source, cluster, none};
}  // namespace group

/// The word that tells this type from the scheduler's other types; empty where it has one only.
template <class Scheduler>
constexpr std::string_view deque_of() {
  if constexpr (requires { Scheduler::policy::deque; }) {
    return Scheduler::policy::deque;
  } else {
    return {};
  }
}

/// Whether it heeds `options::pin`: unless it says `pins = false`.
template <class Scheduler>
constexpr bool pins_workers() {
  if constexpr (requires { Scheduler::pins; }) {
    return Scheduler::pins;
  } else {
    return true;
  }
}

/// Name and version of the library that schedules, or "in-house".
template <class Scheduler>
std::string library_of() {
  if constexpr (requires { Scheduler::library(); }) {
    return Scheduler::library();
  } else {
    return "in-house";
  }
}

}  // namespace stealbench::schedulers
