// Whole searches over ranks in one thread, with a network that delivers in a random order.
#include "schedulers/cluster/rank.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "schedulers/cluster/message.hpp"
#include "schedulers/cluster/step_size.hpp"
#include "schedulers/random.hpp"

namespace stealbench::cluster {
namespace {

using namespace std::chrono_literals;

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
};

class test_network final : public network {
 public:
  test_network(unsigned rank, wires& all) : rank_(rank), wires_(all) {}

  [[nodiscard]] unsigned rank() const override { return rank_; }
  [[nodiscard]] unsigned ranks() const override {
    return static_cast<unsigned>(wires_.arriving.size());
  }
  void send(unsigned to, std::vector<std::byte> bytes) override {
    wires_.arriving.at(to).emplace_back(rank_, std::move(bytes));
  }
  [[nodiscard]] std::chrono::nanoseconds now() const override { return {}; }
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
    every.push_back(
        std::make_unique<rank<subsets>>(*networks.back(), how, known.at(i), 1 + i % 3, seed));
  }
  every.front()->roots().push(size);
  const auto expand = [](bag<unsigned>& tasks) {
    tasks.spread();
    std::uint64_t expanded = 0;
    for (stack<unsigned>& each : tasks.stacks()) {
      for (int i = 0; i < 8 && !each.empty(); ++i, ++expanded) {
        for (unsigned child = each.pop(); child > 0; --child) each.push(child - 1);
      }
    }
    return expanded;
  };
  std::vector<bool> has_ended(ranks);
  std::vector<bool> has_left(ranks);
  for (int turns = 0; std::ranges::count(has_left, false) > 0; ++turns) {
    if (turns > 10'000'000) throw std::runtime_error("the search does not end");
    const auto next = static_cast<unsigned>(schedulers::next_random(all.random) % ranks);
    if (has_left.at(next)) {
      EXPECT_TRUE(all.arriving.at(next).empty()) << "it answers no more";
    } else if (has_ended.at(next)) {
      has_left.at(next) = !every.at(next)->winds_down();
    } else {
      has_ended.at(next) = !every.at(next)->turn(expand);
    }
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
  const rank_counts right{.made = 6, .expanded = 4, .tasks_sent = 3, .tasks_received = 1};
  EXPECT_NO_THROW(expect_conserved(right));
  for (const auto member : {&rank_counts::expanded, &rank_counts::tasks_received}) {
    rank_counts wrong = right;
    ++(wrong.*member);
    EXPECT_THROW(expect_conserved(wrong), std::logic_error);
  }
}

TEST(Costs, AreMeansOverAllRanksAndTheShortestWaitForTheEnd) {
  const std::vector<rank_counts> ranks{
      {.steals = 2, .gifts = 1, .steal_ns = 100, .split_ns = 30, .merge_ns = 50, .ending_ns = 9},
      {.steals = 3, .gifts = 4, .steal_ns = 900, .split_ns = 70, .merge_ns = 10, .ending_ns = 7},
      {.ending_ns = 8}};
  const balancing_costs costs = costs_of(ranks);
  EXPECT_EQ(costs.steal_ns, 200.0);
  EXPECT_EQ(costs.split_ns, 10.0);
  EXPECT_EQ(costs.merge_ns, 6.0);
  EXPECT_EQ(costs.termination_ns, 7.0);
  EXPECT_EQ(costs_of(std::vector<rank_counts>(1)).steal_ns, std::nullopt);
}

/// What one rank of eight sends to others that are not there, on a clock that goes on by 10 ns at
/// each look.
class lone_network final : public network {
 public:
  explicit lone_network(unsigned rank) : rank_(rank) {}

  [[nodiscard]] unsigned rank() const override { return rank_; }
  [[nodiscard]] unsigned ranks() const override { return 8; }
  void send(unsigned to, std::vector<std::byte> bytes) override {
    sent.emplace_back(to, decode(bytes, sizeof(subsets::task)));
  }
  [[nodiscard]] std::chrono::nanoseconds now() const override {
    return time += std::chrono::nanoseconds(10);
  }
  std::optional<std::pair<unsigned, std::vector<std::byte>>> receive() override {
    if (arriving.empty()) return std::nullopt;
    auto arrived = std::move(arriving.front());
    arriving.pop_front();
    return arrived;
  }
  void deliver(unsigned from, const message& sent_by_it) {
    arriving.emplace_back(from, encode(sent_by_it, sizeof(subsets::task)));
  }

  std::vector<std::pair<unsigned, message>> sent;
  std::deque<std::pair<unsigned, std::vector<std::byte>>> arriving;
  mutable std::chrono::nanoseconds time{};

 private:
  unsigned rank_;
};

/// To whom a message goes, its kind and the number of its tasks.
using asking = std::pair<unsigned, message_kind>;
using sending = std::tuple<unsigned, message_kind, std::size_t>;
using sendings = std::vector<sending>;

/// A rank, and what it does in a turn.
struct lone_rank {
  explicit lone_rank(unsigned number, balance how = balance::lifeline, std::uint64_t seed = 1)
      : net(number), self(net, how, known, 1, seed) {}

  /// What the rank sends in a turn in which it expands as many of its tasks, which have no
  /// children.
  sendings turn(std::uint64_t expanded = 0) {
    net.sent.clear();
    is_going_on = self.turn([expanded](bag<unsigned>& tasks) {
      for (std::uint64_t i = 0; i < expanded; ++i) static_cast<void>(tasks.stacks()[0].pop());
      return expanded;
    });
    return sent();
  }
  sendings wind_down() {
    net.sent.clear();
    is_going_on = self.winds_down();
    return sent();
  }
  /// Whom it asks in a turn, and how.
  asking asked() {
    const sendings only = turn();
    if (only.size() != 1) return {99, message_kind::stop};
    return {std::get<0>(only.front()), std::get<1>(only.front())};
  }
  asking asked_after_refusal_by(unsigned other) {
    net.deliver(other, {.kind = message_kind::refusal});
    return asked();
  }
  void give(unsigned from, message_kind kind, std::size_t tasks) {
    net.deliver(
        from,
        {.kind = kind, .tasks = tasks, .bytes = std::vector<std::byte>(tasks * sizeof(unsigned))});
  }

  subsets::known known;
  lone_network net;
  rank<subsets> self;
  bool is_going_on = true;

 private:
  [[nodiscard]] sendings sent() const {
    sendings all;
    for (const auto& [to, what] : net.sent) all.emplace_back(to, what.kind, what.tasks);
    return all;
  }
};

TEST(Rank, AsksARandomOtherOneAndThenEachOfItsLifelinesOnce) {
  std::set<unsigned> first;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    lone_rank subject(3, balance::lifeline, seed);
    const auto [other, how] = subject.asked();
    EXPECT_EQ(how, message_kind::request);
    first.insert(other);
    EXPECT_TRUE(subject.self.awaits_answer());
    EXPECT_TRUE(subject.turn().empty()) << "one request at a time";
    EXPECT_TRUE(subject.self.was_idle());
    EXPECT_EQ(subject.asked_after_refusal_by(other), asking(2, message_kind::lifeline));
    EXPECT_EQ(subject.asked_after_refusal_by(2), asking(1, message_kind::lifeline));
    EXPECT_EQ(subject.asked_after_refusal_by(1), asking(7, message_kind::lifeline));
    subject.net.deliver(7, {.kind = message_kind::refusal});
    EXPECT_TRUE(subject.turn().empty());
    EXPECT_FALSE(subject.self.awaits_answer());
    EXPECT_TRUE(subject.self.was_idle());
  }
  EXPECT_EQ(first, (std::set<unsigned>{0, 1, 2, 4, 5, 6, 7}));
}

TEST(Rank, AsksAgainOnceAGiftIsUsedUpButNotWhereALifelineIsStillSet) {
  lone_rank subject(3);
  const auto [other, how] = subject.asked();
  for (const unsigned each : {other, 2U, 1U}) subject.asked_after_refusal_by(each);
  subject.net.deliver(7, {.kind = message_kind::refusal});
  subject.give(1, message_kind::gift, 1);
  const auto [again, kind, none] = subject.turn(1).at(0);
  EXPECT_EQ(kind, message_kind::request);
  EXPECT_EQ(subject.asked_after_refusal_by(again), asking(1, message_kind::lifeline));
  subject.net.deliver(1, {.kind = message_kind::refusal});
  EXPECT_TRUE(subject.turn().empty());
}

TEST(Rank, AsksRandomOnesForEverOrTheMasterAlone) {
  lone_rank random(3, balance::random);
  for (int i = 0; i < 20; ++i) {
    const auto [other, how] = random.asked();
    EXPECT_EQ(how, message_kind::request);
    random.net.deliver(other, {.kind = message_kind::refusal});
  }
  lone_rank worker(3, balance::master);
  EXPECT_EQ(worker.asked(), asking(0, message_kind::lifeline));
  EXPECT_TRUE(lone_rank(0, balance::master).turn().empty()) << "the master sends no requests";
}

TEST(Rank, AsksOthersThanItsNeighboursDoWithTheSameSeed) {
  const auto victims_of = [](unsigned number) {
    lone_rank subject(number, balance::random);
    std::vector<unsigned> victims;
    for (int i = 0; i < 20; ++i) {
      victims.push_back(subject.asked().first);
      subject.net.deliver(victims.back(), {.kind = message_kind::refusal});
    }
    return victims;
  };
  EXPECT_NE(victims_of(3), victims_of(4));
}

TEST(Rank, GivesTheMasterHalfAfterEachTurnAndTheMasterAllThatIsAskedFor) {
  lone_rank worker(3, balance::master);
  worker.asked();
  worker.give(0, message_kind::gift, 8);
  EXPECT_EQ(worker.turn(2), (sendings{{0, message_kind::gift, 3}})) << "after it has worked";
  lone_rank master(0, balance::master);
  master.net.deliver(5, {.kind = message_kind::lifeline});
  master.give(3, message_kind::gift, 3);
  EXPECT_EQ(master.turn(3), (sendings{{5, message_kind::refusal, 0}, {5, message_kind::gift, 2}}));
  EXPECT_EQ(master.self.counts().expanded, 0U);
  EXPECT_FALSE(master.self.was_idle());
  master.turn();
  EXPECT_TRUE(master.self.was_idle());
}

TEST(Rank, GivesHalfOfItsTasksAtOnceOrLaterAndOnlyOnce) {
  lone_rank subject(3);
  subject.asked();
  subject.net.deliver(2, {.kind = message_kind::lifeline});
  subject.net.deliver(1, {.kind = message_kind::request});
  EXPECT_EQ(subject.turn(),
            (sendings{{2, message_kind::refusal, 0}, {1, message_kind::refusal, 0}}));
  subject.give(5, message_kind::gift, 9);
  EXPECT_EQ(subject.turn(), (sendings{{2, message_kind::gift, 5}}))
      << "rank 1 did not ask for later";
  EXPECT_TRUE(subject.turn().empty());
  subject.net.deliver(6, {.kind = message_kind::request});
  EXPECT_EQ(subject.turn(), (sendings{{6, message_kind::loot, 2}}));
}

TEST(Rank, KeepsALifelineThatARequestFollows) {
  lone_rank subject(3);
  subject.asked();
  subject.net.deliver(2, {.kind = message_kind::lifeline});
  subject.net.deliver(2, {.kind = message_kind::request});
  subject.turn();
  subject.give(5, message_kind::gift, 2);
  EXPECT_EQ(subject.turn(), (sendings{{2, message_kind::gift, 1}}));
}

TEST(Rank, IsNotKeptFromItsTasksByRequests) {
  lone_rank subject(3);
  subject.asked();
  subject.give(2, message_kind::loot, 1);
  for (int i = 0; i < 200; ++i) subject.net.deliver(5, {.kind = message_kind::request});
  subject.turn(1);
  EXPECT_EQ(subject.self.counts().expanded, 1U);
  EXPECT_FALSE(subject.self.was_idle());
  EXPECT_GT(subject.net.arriving.size(), 100U);
}

TEST(Rank, HearsOfTheBestValueAndTellsIt) {
  lone_rank subject(3);
  subject.net.deliver(2, {.kind = message_kind::request, .known = 42});
  EXPECT_FALSE(subject.turn().empty());
  EXPECT_EQ(subject.known.best, 42U);
  for (const auto& [to, message] : subject.net.sent) EXPECT_EQ(message.known, 42U);
}

TEST(Rank, CountsAndTimesWhatItDoes) {
  lone_rank subject(3);
  subject.asked();
  subject.net.time += std::chrono::nanoseconds(1000);
  subject.give(2, message_kind::loot, 4);
  subject.turn();
  rank_counts counts = subject.self.counts();
  EXPECT_EQ(counts.steals, 1U);
  EXPECT_EQ(counts.steal_ns, 1010U);  // As the clock looked at each end of it says.
  EXPECT_EQ(counts.merge_ns, 10U);
  EXPECT_EQ(counts.tasks_received, 4U);
  subject.net.deliver(6, {.kind = message_kind::request});
  subject.give(1, message_kind::gift, 1);
  subject.turn();
  counts = subject.self.counts();
  EXPECT_EQ(counts.split_ns, 10U);
  EXPECT_EQ(counts.tasks_sent, 2U);
  EXPECT_EQ(counts.gifts, 1U);
  EXPECT_EQ(counts.merge_ns, 20U);
  subject.net.deliver(7, {.kind = message_kind::report, .report = {.in_flight = 5}});
  subject.turn(3);  // The last ones.
  EXPECT_EQ(subject.self.counts().reports, 1U);
  EXPECT_FALSE(subject.self.was_idle());
  EXPECT_EQ(subject.net.sent.back().first, 1U);
  EXPECT_TRUE(subject.net.sent.back().second.report.is_black);
  EXPECT_EQ(subject.net.sent.back().second.report.in_flight, 4) << "of the child, and -1";
  subject.net.deliver(1, {.kind = message_kind::wave});
  EXPECT_EQ(subject.turn(), (sendings{{7, message_kind::wave, 0}}))
      << "to the child, whose report it awaits";
  subject.net.time += std::chrono::nanoseconds(500);
  subject.net.deliver(1, {.kind = message_kind::stop});
  EXPECT_EQ(subject.turn(), (sendings{{7, message_kind::stop, 0}}));
  EXPECT_FALSE(subject.is_going_on);
  counts = subject.self.counts();
  EXPECT_EQ(counts.expanded, 3U);
  EXPECT_EQ(counts.requests, 2U);
  EXPECT_EQ(counts.ending_ns, 520U);  // With a look at the clock as it asked.
}

TEST(Rank, AddsUpTheTimesOfItsStealsAndSplits) {
  lone_rank subject(3);
  subject.asked();
  for (std::uint64_t steals = 1; steals <= 3; ++steals) {
    subject.net.time += std::chrono::nanoseconds(1000);
    subject.give(2, message_kind::loot, 2);
    subject.net.deliver(6, {.kind = message_kind::request});
    subject.turn(1);
    EXPECT_EQ(subject.self.counts().steal_ns, steals * 1010);
    EXPECT_EQ(subject.self.counts().split_ns, steals * 10);
  }
}

TEST(Rank, LeavesOnceAllHaveTheirAnswers) {
  lone_rank subject(3);
  const auto [other, how] = subject.asked();
  subject.net.deliver(1, {.kind = message_kind::stop});
  subject.turn();
  subject.net.deliver(7, {.kind = message_kind::done});
  EXPECT_TRUE(subject.wind_down().empty()) << "its own answer has not come";
  subject.net.deliver(other, {.kind = message_kind::refusal});
  subject.net.deliver(5, {.kind = message_kind::request});
  EXPECT_EQ(subject.wind_down(),
            (sendings{{5, message_kind::refusal, 0}, {1, message_kind::done, 0}}));
  EXPECT_TRUE(subject.wind_down().empty()) << "said once";
  EXPECT_TRUE(subject.is_going_on);
  subject.net.deliver(1, {.kind = message_kind::leave});
  EXPECT_EQ(subject.wind_down(), (sendings{{7, message_kind::leave, 0}}));
  EXPECT_FALSE(subject.is_going_on);
}

TEST(Rank, TimesTheEndFromItsLastTaskOn) {
  lone_rank subject(3);
  subject.asked();
  subject.net.time += std::chrono::nanoseconds(100'000);
  subject.give(2, message_kind::loot, 1);
  subject.turn(1);  // Comes and is used up in one turn.
  subject.net.time += std::chrono::nanoseconds(500);
  subject.net.deliver(1, {.kind = message_kind::stop});
  subject.turn();
  EXPECT_EQ(subject.self.counts().ending_ns, 520U);
}

TEST(Bag, IsSplitInHalvesOfEachStackTheOldestAndOfOddStacksUpAndDownInTurn) {
  bag<unsigned> tasks(3);
  for (const unsigned task : {1U, 2U, 3U}) tasks.stacks()[0].push(task);
  tasks.stacks()[1].push(4);
  for (const unsigned task : {5U, 6U}) tasks.stacks()[2].push(task);
  EXPECT_EQ(tasks.split(), (std::vector<unsigned>{1, 2, 5}));
  EXPECT_EQ(tasks.size(), 3U);
  EXPECT_EQ(tasks.pushes(), 6U);
  EXPECT_EQ(tasks.stacks()[0].pop(), 3U);
  EXPECT_EQ(tasks.split(), (std::vector<unsigned>{4}));
  EXPECT_EQ(tasks.split(), (std::vector<unsigned>{6}));
  EXPECT_TRUE(tasks.empty());
  bag<unsigned> odd(4);
  for (stack<unsigned>& each : odd.stacks()) each.push(1);
  EXPECT_EQ(odd.split().size(), 2U);
  EXPECT_TRUE(odd.stacks()[0].empty());
  EXPECT_TRUE(odd.stacks()[2].empty());
}

TEST(Bag, SpreadsItsTasksOverItsEmptyStacks) {
  bag<unsigned> tasks(4);
  for (unsigned task = 1; task <= 7; ++task) tasks.stacks()[1].push(task);
  tasks.spread();
  std::vector<std::size_t> sizes;
  for (const stack<unsigned>& each : tasks.stacks()) sizes.push_back(each.size());
  EXPECT_EQ(sizes, (std::vector<std::size_t>{2, 2, 2, 1})) << "half of 7, of 4, and of 3";
  EXPECT_EQ(tasks.stacks()[1].pop(), 7U) << "the youngest stays";
  tasks.stacks()[1].add(std::vector<unsigned>{7});
  tasks.add(std::vector<unsigned>{8, 9, 10});
  EXPECT_EQ(tasks.stacks()[3].size(), 4U) << "the shortest";
  EXPECT_EQ(tasks.stacks()[3].pop(), 10U);
  EXPECT_EQ(tasks.pushes(), 7U);
}

TEST(StepSize, IsDoubledBelow100MicrosecondsAndHalvedAbove400BetweenOneTaskAndSixteenMillion) {
  step_size step;
  EXPECT_EQ(step.tasks(), 16U);
  step.took(99us);
  EXPECT_EQ(step.tasks(), 32U);
  step.took(100us);
  step.took(400us);
  EXPECT_EQ(step.tasks(), 32U);
  step.took(401us);
  EXPECT_EQ(step.tasks(), 16U);
  for (int i = 0; i < 100; ++i) step.took(1s);
  EXPECT_EQ(step.tasks(), 1U);
  for (int i = 0; i < 100; ++i) step.took(1ns);
  EXPECT_EQ(step.tasks(), 16'777'216U);
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

constexpr std::size_t bytes_of_task = 12;

message loot() {
  return {
      .kind = message_kind::loot, .known = 7, .tasks = 2, .bytes = std::vector(24, std::byte{5})};
}

TEST(Message, ArrivesAsItWasSent) {
  const message arrived = decode(encode(loot(), bytes_of_task), bytes_of_task);
  EXPECT_EQ(arrived.kind, message_kind::loot);
  EXPECT_EQ(arrived.known, 7U);
  EXPECT_EQ(arrived.tasks, 2U);
  EXPECT_EQ(arrived.bytes, loot().bytes);
  for (const bool is_black : {false, true}) {
    const message sent{.kind = message_kind::report,
                       .report = {.in_flight = -3, .is_black = is_black}};
    EXPECT_EQ(decode(encode(sent, bytes_of_task), bytes_of_task).report, sent.report);
  }
}

TEST(Message, IsRefusedIfItIsCutOrForeign) {
  const std::string wrong_tasks = "does not have the 2 tasks that it says";
  using refusal = std::tuple<std::size_t, std::size_t, int, std::string>;
  // Its size, which is 56 bytes if it is whole, and the place and new value of one byte.
  for (const auto& [size, place, byte, why] :
       std::vector<refusal>{{31, 6, 12, "is shorter than any of a search"},
                            {55, 6, 12, wrong_tasks},
                            {57, 6, 12, wrong_tasks},
                            {56 + bytes_of_task, 6, 12, wrong_tasks},
                            {56, 0, 0, "is not of a search of stealbench"},
                            {56, 4, 10, "is of no known kind"},
                            {56, 5, 2, "is neither black nor white"},
                            {56, 6, 8, "has tasks of another size"},
                            {56, 4, 0, wrong_tasks}}) {  // A request has no tasks.
    std::vector<std::byte> bytes = encode(loot(), bytes_of_task);
    bytes.resize(size);
    bytes[place] = static_cast<std::byte>(byte);
    try {
      static_cast<void>(decode(bytes, bytes_of_task));
      ADD_FAILURE() << why;
    } catch (const foreign_message& error) {
      EXPECT_EQ(error.what(), "a message of " + std::to_string(size) + " bytes that " + why);
    }
  }
}

}  // namespace
}  // namespace stealbench::cluster
