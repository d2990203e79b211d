// Every order of events of small clusters. Rank 0 ends a search only if no rank has tasks and none
// are on their way, and it ends every search of which that is true. With a rule of the detector, or
// of its caller, left out it ends one too early.
#include "schedulers/cluster/termination.hpp"

#include <algorithm>
#include <compare>
#include <cstddef>
#include <optional>
#include <set>
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
  std::optional<std::pair<unsigned, token>> passing;  ///< The token, on its way to this rank.

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
  state<Detector> begun{{}, std::vector<bool>(ranks), std::vector<unsigned>(ranks), sends, {}};
  for (unsigned i = 0; i < ranks; ++i) begun.detectors.emplace_back(i, ranks);
  begun.has_tasks.at(first) = true;
  return begun;
}

/// All states that one event leads to. A caller that `passes_early` does not wait until it has no
/// tasks.
template <class Detector>
std::vector<state<Detector>> after_one_event(const state<Detector>& now, bool passes_early) {
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
    if (!now.has_tasks.at(rank) || passes_early) {
      state<Detector>& passed = all.emplace_back(now);
      const std::optional<token> on = passed.detectors.at(rank).passes();
      if (on) passed.passing = {passed.detectors.at(rank).next(), *on};
    }
  }
  if (now.passing) {
    state<Detector>& arrived = all.emplace_back(now);
    arrived.detectors.at(now.passing->first).takes(now.passing->second);
    arrived.passing.reset();
  }
  return all;
}

/// Whether a search at rest is told, when the token alone is left to move. Three rounds are enough:
/// in the first it turns the ranks white, in the second it sees that they are.
template <class Detector>
bool is_told_from(state<Detector> now) {
  for (std::size_t event = 0; event < 6 * now.detectors.size() && !now.is_told(); ++event) {
    if (now.passing) {
      now.detectors.at(now.passing->first).takes(now.passing->second);
      now.passing.reset();
    }
    for (Detector& each : now.detectors) {
      const std::optional<token> on = each.passes();
      if (!on) continue;
      now.passing = {each.next(), *on};
      break;
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
verdict search(unsigned ranks, unsigned first, unsigned sends, bool passes_early = false) {
  std::set<state<Detector>> seen{beginning<Detector>(ranks, first, sends)};
  std::vector<state<Detector>> next(seen.begin(), seen.end());
  verdict found;
  while (!next.empty()) {
    const state<Detector> now = std::move(next.back());
    next.pop_back();
    found.is_told_early = found.is_told_early || (now.is_told() && !now.rests());
    found.is_never_told = found.is_never_told || (now.rests() && !is_told_from(now));
    for (state<Detector>& after : after_one_event(now, passes_early)) {
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

TEST(Termination, NeedsEachOfItsRules) {
  EXPECT_FALSE(is_ended_early<termination_rules{}>());
  EXPECT_TRUE(is_ended_early<without(&termination_rules::blackens_receivers)>());
  EXPECT_TRUE(is_ended_early<without(&termination_rules::blackens_token)>());
  EXPECT_TRUE(is_ended_early<without(&termination_rules::counts)>());
  EXPECT_TRUE(is_ended_early<without(&termination_rules::probes_first)>());
}

TEST(Termination, NeedsCallersThatKeepTheTokenWhileTheyHaveTasks) {
  EXPECT_TRUE(search(3, 0, 4, /*passes_early=*/true).is_told_early);
}

}  // namespace
}  // namespace stealbench::cluster
