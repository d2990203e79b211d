// Whole searches over ranks in one thread, with a network that delivers in a random order.
#include "schedulers/cluster/rank.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "schedulers/random.hpp"

namespace stealbench::cluster {
namespace {

/// A tree of numbers: a task of n has the children n - 1, n - 2, …, 1 and 0, hence 2^n tasks in
/// all.
struct subsets {
  using task = unsigned;
  struct known {
    std::uint64_t best = 0;
    [[nodiscard]] std::uint64_t value() const { return best; }
    void offer(std::uint64_t found) { best = std::max(best, found); }
  };
};

/// A message is delivered after a random time, whoever has sent one before it.
struct wires {
  explicit wires(unsigned ranks, std::uint64_t seed) : arriving(ranks), random(seed) {}

  std::vector<std::vector<std::pair<unsigned, std::vector<std::byte>>>> arriving;
  std::uint64_t random;
  std::uint64_t sent = 0;
};

class test_network final : public network {
 public:
  test_network(unsigned rank, wires& all) : rank_(rank), wires_(all) {}

  [[nodiscard]] unsigned rank() const override { return rank_; }
  [[nodiscard]] unsigned ranks() const override {
    return static_cast<unsigned>(wires_.arriving.size());
  }
  void send(unsigned to, std::vector<std::byte> bytes) override {
    ++wires_.sent;
    wires_.arriving.at(to).emplace_back(rank_, std::move(bytes));
  }
  std::optional<std::pair<unsigned, std::vector<std::byte>>> receive() override {
    auto& mine = wires_.arriving.at(rank_);
    if (mine.empty() || schedulers::next_random(wires_.random) % 2 == 0) return std::nullopt;
    const std::size_t any = schedulers::next_random(wires_.random) % mine.size();
    std::swap(mine.at(any), mine.back());
    auto arrived = std::move(mine.back());
    mine.pop_back();
    return arrived;
  }

 private:
  unsigned rank_;
  wires& wires_;
};

struct outcome {
  std::uint64_t expanded = 0;
  unsigned most_active = 0;
  std::vector<rank_counts> of_rank;
};

/// Ranks take turns in a random order. Throws if the search takes too many.
outcome search(unsigned ranks, balance how, unsigned size, std::uint64_t seed) {
  wires all(ranks, seed);
  std::vector<subsets::known> known(ranks);
  std::vector<std::unique_ptr<test_network>> networks;
  std::vector<std::unique_ptr<rank<subsets>>> every;
  for (unsigned i = 0; i < ranks; ++i) {
    networks.push_back(std::make_unique<test_network>(i, all));
    every.push_back(std::make_unique<rank<subsets>>(*networks.back(), how, known.at(i), seed));
  }
  bag<unsigned> roots;
  roots.push(size);
  every.front()->begin_with(std::move(roots));
  const auto expand = [](bag<unsigned>& tasks) {
    std::uint64_t expanded = 0;
    for (; expanded < 8 && !tasks.empty(); ++expanded) {
      for (unsigned child = tasks.pop(); child > 0; --child) tasks.push(child - 1);
    }
    return expanded;
  };
  std::vector<bool> has_ended(ranks);
  for (int turns = 0; std::ranges::count(has_ended, false) > 0; ++turns) {
    if (turns > 10'000'000) throw std::runtime_error("the search does not end");
    const auto next = static_cast<unsigned>(schedulers::next_random(all.random) % ranks);
    if (has_ended.at(next)) {
      every.at(next)->answer();
    } else {
      has_ended.at(next) = !every.at(next)->turn(expand);
    }
  }
  for (int rounds = 0; rounds < 200; ++rounds) {
    for (const auto& each : every) each->answer();
  }
  outcome found;
  for (const auto& each : every) {
    EXPECT_FALSE(each->awaits_answer());
    found.of_rank.push_back(each->counts());
    found.expanded += each->counts().expanded;
    if (each->counts().expanded > 0) ++found.most_active;
  }
  for (const auto& left : all.arriving) EXPECT_TRUE(left.empty());
  return found;
}

// NOLINTNEXTLINE(readability-identifier-naming): GoogleTest shows it as the name of the suite.
class Search : public testing::TestWithParam<balance> {};

TEST_P(Search, ExpandsEveryTaskOnceOnAnyNumberOfRanks) {
  for (const unsigned ranks : {1U, 2U, 3U, 4U, 7U, 16U, 33U}) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      SCOPED_TRACE(testing::Message() << ranks << " ranks, seed " << seed);
      const outcome found = search(ranks, GetParam(), 12, seed);
      ASSERT_EQ(found.expanded, 4096U);
    }
  }
}

TEST_P(Search, GivesEveryRankTasksAndLosesNone) {
  const outcome found = search(7, GetParam(), 14, 1);
  const unsigned expected = GetParam() == balance::master ? 6 : 7;
  EXPECT_EQ(found.most_active, expected);
  rank_counts sum{};
  for (const rank_counts& each : found.of_rank) {
    EXPECT_NO_THROW(expect_conserved(each));
    sum.tasks_sent += each.tasks_sent;
    sum.tasks_received += each.tasks_received;
    sum.requests += each.requests;
    sum.refusals += each.refusals;
    sum.steals += each.steals;
  }
  EXPECT_EQ(sum.tasks_sent, sum.tasks_received);
  EXPECT_EQ(sum.requests, sum.refusals + sum.steals);
}

INSTANTIATE_TEST_SUITE_P(, Search,
                         testing::Values(balance::lifeline, balance::random, balance::master));

TEST(Conservation, OfTasksIsBrokenByOneThatIsLostOrTwice) {
  const rank_counts right{
      .roots = 1, .made = 5, .expanded = 4, .tasks_sent = 3, .tasks_received = 1};
  EXPECT_NO_THROW(expect_conserved(right));
  rank_counts wrong = right;
  ++wrong.expanded;
  EXPECT_THROW(expect_conserved(wrong), std::logic_error);
  wrong = right;
  ++wrong.tasks_received;
  EXPECT_THROW(expect_conserved(wrong), std::logic_error);
}

TEST(Rank, NamesWhoSentAForeignMessage) {
  wires all(2, 1);
  test_network other(1, all);
  test_network own(0, all);
  subsets::known known;
  rank<subsets> subject(own, balance::lifeline, known);
  other.send(0, std::vector<std::byte>(7));
  try {
    for (int i = 0; i < 100; ++i) subject.answer();
    FAIL();
  } catch (const foreign_message& error) {
    EXPECT_STREQ(
        error.what(),
        "rank 0 received from rank 1 a message of 7 bytes that is shorter than any of a search");
  }
}

}  // namespace
}  // namespace stealbench::cluster
