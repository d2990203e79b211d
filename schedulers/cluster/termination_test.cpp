// Every order of events of small clusters. Rank 0 ends a search only if no rank has tasks and none
// are on their way, and it ends every search of which that is true. With a rule of the detector, or
// of its caller, left out it ends one too early.
#include "schedulers/cluster/termination.hpp"

#include <algorithm>
#include <compare>
#include <cstddef>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace stealbench::cluster {
namespace {

/// What the ranks know, and what is on its way between them.
template <class Detector>
struct state {
  std::vector<Detector> detectors;
  std::vector<bool> has_tasks;
  std::vector<unsigned> arriving;  ///< By rank: messages with tasks on their way to it.
  unsigned sends_left;             ///< In all, so that there are finitely many states.
  /// By rank: its report on the way to its parent, and a new wave on the way to it.
  std::vector<std::optional<wave_report>> reporting;
  std::vector<bool> told;

  // NOLINTNEXTLINE(modernize-use-nullptr): what the compiler writes for <=> has a 0.
  auto operator<=>(const state&) const = default;

  [[nodiscard]] bool rests() const {
    return std::ranges::count(has_tasks, true) == 0 &&
           std::ranges::all_of(arriving, [](unsigned count) { return count == 0; });
  }
  [[nodiscard]] bool is_told() const { return detectors.front().has_ended(); }
};

/// The search begins with a task on rank `first`.
template <class Detector>
state<Detector> beginning(unsigned ranks, unsigned first, unsigned sends) {
  state<Detector> begun{.detectors = {},
                        .has_tasks = std::vector<bool>(ranks),
                        .arriving = std::vector<unsigned>(ranks),
                        .sends_left = sends,
                        .reporting = std::vector<std::optional<wave_report>>(ranks),
                        .told = std::vector<bool>(ranks)};
  for (unsigned i = 0; i < ranks; ++i) begun.detectors.emplace_back(i, ranks);
  begun.has_tasks.at(first) = true;
  return begun;
}

template <class Detector>
void tell_children(state<Detector>& now, unsigned rank) {
  now.detectors.at(rank).for_each_child([&](unsigned child) { now.told.at(child) = true; });
}

template <class Detector>
void act(state<Detector>& now, unsigned rank) {
  Detector& self = now.detectors.at(rank);
  const auto action = self.acts();
  if (action == Detector::action::report) now.reporting.at(rank) = self.own_report();
  if (action == Detector::action::wave) tell_children(now, rank);
}

/// What is on its way to and from a rank arrives.
template <class Detector>
void deliver_report_of(state<Detector>& now, unsigned rank) {
  now.detectors.at(now.detectors.at(rank).parent()).takes(*now.reporting.at(rank));
  now.reporting.at(rank).reset();
}
template <class Detector>
void deliver_wave_to(state<Detector>& now, unsigned rank) {
  now.detectors.at(rank).begins_wave();
  now.told.at(rank) = false;
  tell_children(now, rank);
}

/// All states that one event leads to. A caller that `reports_early` does not wait until it has no
/// tasks.
template <class Detector>
std::vector<state<Detector>> after_one_event(const state<Detector>& now, bool reports_early) {
  std::vector<state<Detector>> all;
  const auto ranks = static_cast<unsigned>(now.detectors.size());
  for (unsigned rank = 0; rank < ranks; ++rank) {
    for (unsigned to = 0; to < ranks && now.has_tasks.at(rank) && now.sends_left > 0; ++to) {
      if (to == rank) continue;
      state<Detector>& sent = all.emplace_back(now);
      sent.detectors.at(rank).sends();
      ++sent.arriving.at(to);
      --sent.sends_left;
    }
    if (now.has_tasks.at(rank)) all.emplace_back(now).has_tasks.at(rank) = false;
    if (now.arriving.at(rank) > 0) {
      state<Detector>& received = all.emplace_back(now);
      received.detectors.at(rank).receives();
      --received.arriving.at(rank);
      received.has_tasks.at(rank) = true;
    }
    if (!now.has_tasks.at(rank) || reports_early) act(all.emplace_back(now), rank);
    if (now.reporting.at(rank)) deliver_report_of(all.emplace_back(now), rank);
    if (now.told.at(rank)) deliver_wave_to(all.emplace_back(now), rank);
  }
  return all;
}

/// Whether a search at rest is told, when reports and waves alone are left to move. Three waves are
/// enough: the one in hand, one that turns the ranks white, and one that sees that they are.
template <class Detector>
bool is_told_from(state<Detector> now) {
  const auto ranks = static_cast<unsigned>(now.detectors.size());
  for (unsigned step = 0; step < 3 * 2 * ranks && !now.is_told(); ++step) {
    for (unsigned rank = 0; rank < ranks; ++rank) {
      if (now.told.at(rank)) deliver_wave_to(now, rank);
      act(now, rank);
      if (now.reporting.at(rank)) deliver_report_of(now, rank);
    }
  }
  return now.is_told();
}

struct verdict {
  std::size_t states = 0;
  bool is_told_early = false;
  bool is_never_told = false;
};

template <class Detector = termination_detector>
verdict search(unsigned ranks, unsigned first, unsigned sends, bool reports_early = false) {
  std::set<state<Detector>> seen{beginning<Detector>(ranks, first, sends)};
  std::vector<state<Detector>> next(seen.begin(), seen.end());
  verdict found;
  while (!next.empty()) {
    const state<Detector> now = std::move(next.back());
    next.pop_back();
    if (now.is_told() && !now.rests()) return {.states = seen.size(), .is_told_early = true};
    found.is_never_told = found.is_never_told || (now.rests() && !is_told_from(now));
    for (state<Detector>& after : after_one_event(now, reports_early)) {
      if (seen.insert(after).second) next.push_back(std::move(after));
    }
  }
  found.states = seen.size();
  return found;
}

TEST(Termination, IsToldWhenAndOnlyWhenASearchHasEnded) {
  for (const auto& [ranks, sends, fewest_states] :
       {std::tuple(1U, 0U, 3U), {2U, 5U, 1'000U}, {3U, 4U, 20'000U}, {4U, 3U, 20'000U}}) {
    for (const unsigned first : {0U, ranks - 1}) {
      SCOPED_TRACE(testing::Message() << ranks << " ranks, tasks first on rank " << first);
      const verdict found = search(ranks, first, sends);
      EXPECT_FALSE(found.is_told_early);
      EXPECT_FALSE(found.is_never_told);
      EXPECT_GE(found.states, fewest_states);
    }
  }
}

template <termination_rules Rules>
bool is_ended_early() {
  bool found = false;
  for (const unsigned first : {0U, 2U}) {
    found = found || search<basic_termination_detector<Rules>>(3, first, 4).is_told_early;
  }
  return found;
}

constexpr termination_rules without(bool termination_rules::*rule) {
  termination_rules others;
  others.*rule = false;
  return others;
}

TEST(Termination, NeedsEachOfItsRulesAndCallersThatDoNotReportWhileTheyHaveTasks) {
  EXPECT_FALSE(is_ended_early<termination_rules{}>());
  EXPECT_TRUE(is_ended_early<without(&termination_rules::blackens_receivers)>());
  EXPECT_TRUE(is_ended_early<without(&termination_rules::blackens_reports)>());
  EXPECT_TRUE(is_ended_early<without(&termination_rules::counts)>());
  EXPECT_TRUE(is_ended_early<without(&termination_rules::awaits_children)>());
  EXPECT_TRUE(search(3, 0, 4, /*reports_early=*/true).is_told_early);
}

}  // namespace
}  // namespace stealbench::cluster
