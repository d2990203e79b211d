// Random sequences of operations on one thread, against a model; RapidCheck shrinks one that fails
// to the shortest it can find.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <ostream>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "schedulers/engine/jobs/job_entry.hpp"
#include "schedulers/work_stealing/protocols/split_deque.hpp"
#include "schedulers/work_stealing/rings_fixture.hpp"

namespace stealbench::work_stealing {
namespace {

// The same sequences in every run; RC_PARAMS from outside goes first.
const bool has_parameters = ::setenv("RC_PARAMS", "seed=20261121 max_success=2000", 0) == 0;

enum class act : std::uint8_t { push, pop, steal, share, force };

// For RapidCheck's report.
void showValue(act shown, std::ostream& to) {  // NOLINT(readability-identifier-naming): its name
  constexpr const char* names[] = {"push", "pop", "steal", "share", "force"};
  to << names[static_cast<std::size_t>(shown)];
}

// Mostly pushes, so that there is something to lose.
rc::Gen<std::vector<act>> acts(const std::vector<act>& others) {
  std::vector<act> choices(others.size() + 1, act::push);
  choices.insert(choices.end(), others.begin(), others.end());
  return rc::gen::container<std::vector<act>>(rc::gen::elementOf(choices));
}

template <class Deque>
// NOLINTNEXTLINE(readability-identifier-naming): GoogleTest shows it as the name of the suite.
class Rings : public testing::Test {};
TYPED_TEST_SUITE(Rings, rings::types_of_int_pointers, ring_names);

TYPED_TEST(Rings, AnswerAsASequentialDequeDoes) {
  ASSERT_TRUE(has_parameters);
  EXPECT_TRUE(rc::check([] {
    const auto first = std::size_t{1} << *rc::gen::inRange(0, 4);
    const auto most = first << *rc::gen::inRange(0, 4);
    std::vector<int> jobs(64);
    std::deque<int*> model;
    TypeParam tested(first, most);
    std::size_t offered = 0;
    bool any_stolen = false;  // since the owner has last found it empty
    for (const act next : *acts({act::pop, act::steal})) {
      int* expected = nullptr;
      if (next != act::push) {
        any_stolen = next == act::steal || (any_stolen && !model.empty());
        if (!model.empty()) {
          expected = next == act::pop ? model.back() : model.front();
          next == act::pop ? model.pop_back() : model.pop_front();
        }
      }
      if (next == act::push) {
        int* const job = &jobs[offered++ % jobs.size()];
        const bool fits = model.size() < most;
        const bool pushed = tested.push(job);
        // Without growth the slots of stolen jobs may come back later.
        RC_ASSERT(pushed == fits || (!TypeParam::grows && !pushed && any_stolen));
        if (pushed) model.push_back(job);
      } else if (next == act::pop) {
        RC_ASSERT(tested.pop() == expected);
      } else {
        const auto [outcome, job] = tested.steal();
        RC_ASSERT(job == expected);
        RC_ASSERT(outcome == (job != nullptr ? steal_outcome::taken : steal_outcome::empty));
      }
      RC_ASSERT(tested.looks_empty() == model.empty());
      RC_ASSERT(tested.size_hint() == model.size());
    }
  }));
}

struct kind {};
struct slot {
  using kind_type = kind;
  engine::job_entry<kind, engine::std_machine> entry;
};

// The owner's stack of jobs, of which thieves take the lowest.
class split_model {
 public:
  static constexpr std::size_t most = 32;

  split_model() : slots_(most + 1), tested_(slots_.data(), slots_.data() + most) {
    slots_[most].entry.open(kind_, engine::order::relaxed);  // never free
  }

  void play(act next) {
    switch (next) {
      case act::push:
        if (depth_ == most) return;
        tested_.push(slots_[depth_++], kind_);
        break;
      case act::pop:
        pop();
        break;
      case act::share:
        if (depth_ > stolen_) tested_.expose(slots_[depth_ - 1]);
        break;
      case act::steal:
        took(tested_.steal().job);
        break;
      case act::force:
        force();
        break;
    }
    if (depth_ > stolen_ && engine::std_machine::asymmetric()) RC_ASSERT(!tested_.looks_empty());
    if (depth_ == stolen_) RC_ASSERT(tested_.looks_empty());
  }

 private:
  void pop() {
    if (depth_ == 0) return;
    slot& topmost = slots_[depth_ - 1];
    const bool is_mine = stolen_ < depth_;
    RC_ASSERT(tested_.take_back(topmost) == is_mine);
    --depth_;
    if (!is_mine) {
      tested_.retire(topmost);
      --stolen_;
    }
  }

  // Where nothing is public, what is private can be had if there is a system-wide fence.
  void force() {
    if (const slot* const job = tested_.steal().job) return took(job);
    const slot* const forced = tested_.force(1).job;
    const bool can = engine::std_machine::asymmetric() && stolen_ < depth_;
    RC_ASSERT((forced != nullptr) == can);
    took(forced);
  }

  void took(const slot* job) {
    if (job != nullptr) RC_ASSERT(job == &slots_[stolen_++]);
  }

  kind kind_;
  std::vector<slot> slots_;
  split_deque<slot> tested_;
  std::size_t depth_ = 0;   // slots in use
  std::size_t stolen_ = 0;  // the lowest of them
};

TEST(Split, AnswersAsAStackDoesFromWhichThievesTakeTheLowest) {
  ASSERT_TRUE(has_parameters);
  EXPECT_TRUE(rc::check([] {
    split_model model;
    for (const act next : *acts({act::pop, act::steal, act::share, act::force})) model.play(next);
  }));
}

}  // namespace
}  // namespace stealbench::work_stealing
