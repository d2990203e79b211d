// Random programs. What a program runs, returns and throws follows from the laws, whatever the
// strategy; so each must do what its serial elision does.
#include <atomic>
#include <cstdint>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "schedulers/contract/fixture.hpp"
#include "schedulers/serial/scheduler.hpp"

namespace stealbench::schedulers::contract {
namespace {

// The finaliser of SplitMix64 (Steele, Lea & Flood 2014).
constexpr std::uint64_t mix(std::uint64_t value) {
  value += 0x9e3779b97f4a7c15;
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9;
  value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
  return value ^ (value >> 31);
}

/// The closures that ran, as a sum over their names that does not depend on their order.
struct trace {
  std::atomic<std::uint64_t> names{0};
  std::atomic<std::uint64_t> count{0};

  void add(std::uint64_t name) {
    names.fetch_add(mix(name), std::memory_order_relaxed);
    count.fetch_add(1, std::memory_order_relaxed);
  }
};

/// The closure called `name` of a random program: its name settles what it does.
template <class Worker>
class program {
 public:
  program(trace& ran, std::uint64_t name, unsigned depth)
      : ran_(ran), name_(name), depth_(depth), choice_(mix(name)) {}

  std::uint64_t operator()(Worker worker) const {
    ran_.add(name_);
    throw_if(choice_ >> 8U, 16);
    if (depth_ == 0) return choice_;
    const std::uint64_t result = act(worker);
    throw_if(choice_ >> 16U, 24);
    return result;
  }

 private:
  [[nodiscard]] program child(std::uint64_t index) const {
    return program(ran_, mix(name_ + index + 1), depth_ - 1);
  }

  void throw_if(std::uint64_t bits, std::uint64_t one_in) const {
    if (bits % 256 % one_in == 0) throw failure{static_cast<unsigned>(mix(choice_ + one_in))};
  }

  std::uint64_t act(Worker worker) const {
    switch (choice_ % 8) {
      case 0:
        return loop(worker);
      case 1:
        return spawn(worker, /*syncs=*/false);
      case 2:
      case 3:
        return spawn(worker, /*syncs=*/true);
      case 4:
        return swallow(worker);
      default:
        return fork(worker);
    }
  }

  std::uint64_t fork(Worker worker) const {
    const auto [left, right] = worker->fork_join(child(0), child(1));
    return left * 3 + right;
  }

  // An exception of a branch ends here.
  std::uint64_t swallow(Worker worker) const {
    try {
      return fork(worker);
    } catch (const failure& caught) {
      return caught.where;
    }
  }

  // The bodies throw nothing: how many indices are left out depends on how the loop is cut.
  std::uint64_t loop(Worker worker) const {
    std::atomic<std::uint64_t> sum = 0;
    worker->parallel_for(0, choice_ >> 32U & 7U, 1 + (choice_ >> 36U & 1U),
                         [&](Worker inner, std::size_t i) {
                           const auto body = child(i);
                           const auto alone = [&](Worker) { return mix(i); };
                           try {
                             sum += inner->fork_join(body, alone).first;
                           } catch (const failure& caught) {
                             sum += caught.where;
                           }
                         });
    return sum;
  }

  // A group that is not synced waits as it goes, and drops what its children throw.
  std::uint64_t spawn(Worker worker, bool syncs) const {
    std::atomic<std::uint64_t> sum = 0;
    {
      auto group = worker->task_group();
      const std::uint64_t count = choice_ >> 40U & 3U;
      for (std::uint64_t i = 0; i < count; ++i) {
        group.spawn([&sum, each = child(i)](Worker inner) { sum += each(inner); });
      }
      throw_if(choice_ >> 24U, 32);
      if (syncs) group.sync();
    }
    return sum;
  }

  trace& ran_;
  std::uint64_t name_;
  unsigned depth_;
  std::uint64_t choice_;
};

/// What there is to see of a program from outside.
struct observation {
  std::uint64_t result = 0;
  std::optional<unsigned> thrown;
  std::uint64_t names = 0;
  std::uint64_t count = 0;
  bool operator==(const observation&) const = default;
};

template <class Subject>
observation observe(Subject& scheduler, std::uint64_t seed) {
  observation seen;
  trace ran;
  seen.thrown = thrown_by([&] {
    seen.result = scheduler.run([&](typename Subject::worker worker) {
      return program<typename Subject::worker>(ran, mix(seed), 9)(worker);
    });
  });
  seen.names = ran.names;
  seen.count = ran.count;
  return seen;
}

// Expects the same of both for `programs` seeds from `first` on. Returns how many threw.
template <class Subject>
int compare_with_elision(Subject& scheduler, int first, int programs) {
  serial::scheduler elision(options{});
  std::uint64_t closures = 0;
  int threw = 0;
  for (int seed = first; seed < first + programs; ++seed) {
    const observation expected = observe(elision, static_cast<std::uint64_t>(seed));
    const observation seen = observe(scheduler, static_cast<std::uint64_t>(seed));
    EXPECT_EQ(seen.count, expected.count) << seed;
    EXPECT_EQ(seen.thrown, expected.thrown) << seed;
    EXPECT_EQ(seen, expected) << seed;
    closures += expected.count;
    threw += expected.thrown.has_value() ? 1 : 0;
  }
  EXPECT_GT(closures, static_cast<std::uint64_t>(programs) * 30) << "too small to tell anything";
  return threw;
}

TEST_P(SchedulerContract, DoesWhatTheSerialElisionOfARandomProgramDoes) {
  constexpr int programs = 300;
  const int threw = compare_with_elision(scheduler_, 0, programs);
  EXPECT_GT(threw, programs / 10);
  EXPECT_LT(threw, programs * 9 / 10);
}

// A template, so that a scheduler without these options need not compile it.
template <class S>
void compare_under_every_option(unsigned workers) {
  if constexpr (requires { typename S::policy; }) {
    std::vector<options> all;
    for (const auto each :
         {victim_choice::last, victim_choice::round_robin, victim_choice::nearest}) {
      all.push_back({.workers = workers, .victim = each});
    }
    all.push_back({.workers = workers, .idle = idle_policy::spin});
    all.push_back({.workers = workers, .idle = idle_policy::yield});
    all.push_back({.workers = workers, .join = join_policy::leapfrog});
    all.push_back({.workers = workers,
                   .pin = true,
                   .victim = victim_choice::nearest,
                   .idle = idle_policy::yield,
                   .join = join_policy::leapfrog});
    int first = 1000;
    for (const options& chosen : all) {
      S scheduler(chosen);
      compare_with_elision(scheduler, first, 50);
      first += 50;
    }
  } else {
    GTEST_SKIP() << "has no such options";
  }
}

TEST_P(SchedulerContract, DoesSoWhicheverVictimsIdlingAndJoinsAreChosen) {
  compare_under_every_option<subject>(GetParam());
}

}  // namespace
}  // namespace stealbench::schedulers::contract
