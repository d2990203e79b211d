#include "schedulers/virtual_machine/run_queue.hpp"

#include <algorithm>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace stealbench::virtual_machine {
namespace {

struct numbered {
  thread_number number;
  std::size_t place = run_queue<numbered>::nowhere;
};

// Against a list that is sorted anew each time.
TEST(RunQueue, GivesTheEarliestFirstAndEqualsByTheirNumbersAsASortedListDoes) {
  std::mt19937 random(1);  // NOLINT(cert-msc51-cpp): the same each time
  std::vector<numbered> all;
  for (thread_number i = 1; i <= 40; ++i) all.push_back({i});
  run_queue<numbered> queue;
  std::vector<std::pair<picoseconds, numbered*>> expected;
  const auto expected_first = [&] {
    return std::ranges::min_element(
        expected, {}, [](const auto& each) { return std::pair(each.first, each.second->number); });
  };
  for (int step = 0; step < 20'000; ++step) {
    numbered& chosen = all[random() % all.size()];
    const auto clock = static_cast<picoseconds>(random() % 100);
    const bool is_in = chosen.place != run_queue<numbered>::nowhere;
    if (is_in && step % 3 == 0) {
      queue.remove(chosen);
      std::erase_if(expected, [&](const auto& each) { return each.second == &chosen; });
    } else if (!is_in && !expected.empty() && step % 2 == 0) {
      const auto first = expected_first();
      ASSERT_EQ(&queue.exchange_first(chosen, clock), first->second);
      *first = {clock, &chosen};
    } else if (!is_in) {
      queue.add(chosen, clock);
      expected.emplace_back(clock, &chosen);
    } else if (step % 5 == 0) {
      const auto first = expected_first();
      ASSERT_EQ(queue.earliest(), first->first);
      ASSERT_EQ(&queue.take_first(), first->second);
      expected.erase(first);
    }
    ASSERT_EQ(queue.is_empty(), expected.empty());
  }
}

}  // namespace
}  // namespace stealbench::virtual_machine
