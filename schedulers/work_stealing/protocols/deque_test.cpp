// Capacities, memory, outcomes and fences of every deque. Its sequential laws are in
// deque_property_test.cpp; what happens between threads, in deque_stress_test.cpp on the machine
// and in verify/work_stealing/ under the model checker.
#include "schedulers/work_stealing/protocols/deque.hpp"

#include <algorithm>
#include <climits>
#include <cstddef>
#include <cstdlib>
#include <new>
#include <numeric>
#include <set>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include "schedulers/engine/std_machine.hpp"
#include "schedulers/engine/test_slot_fixture.hpp"
#include "schedulers/work_stealing/protocols/abp_deque.hpp"
#include "schedulers/work_stealing/protocols/bwos_deque.hpp"
#include "schedulers/work_stealing/rings_fixture.hpp"

// Clang's sanitizers define every operator new themselves and bear no second definition.
#if defined(__clang__)
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
#define ALLOCATION_IS_THE_SANITIZERS
#endif
#endif

#ifndef ALLOCATION_IS_THE_SANITIZERS
#include "schedulers/contract/faults/operators_fixture.hpp"

namespace {

// Of the thread of the test.
thread_local int allocations_left = INT_MAX;
thread_local std::size_t allocated = 0;

void* allocate(std::size_t bytes, std::size_t alignment) noexcept {
  if (allocations_left-- <= 0) return nullptr;
  allocated += bytes;
  return std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}
void release(void* memory) noexcept { std::free(memory); }

}  // namespace
#endif

namespace stealbench::work_stealing {
namespace {

template <class D>
// NOLINTNEXTLINE(readability-identifier-naming): GoogleTest shows it as the name of the suite.
class Deque : public testing::Test {};

TYPED_TEST_SUITE(Deque, rings::types_of_int_pointers, ring_names);

class jobs {
 public:
  explicit jobs(int count) : numbers_(static_cast<std::size_t>(count)) {
    std::iota(numbers_.begin(), numbers_.end(), 0);
  }
  int* operator[](int i) { return &numbers_[static_cast<std::size_t>(i)]; }

 private:
  std::vector<int> numbers_;
};

TYPED_TEST(Deque, HasRoomForTheJobThatItsOwnerHasJustTaken) {
  TypeParam d(1, 8);
  jobs j(8);
  for (int stolen = 0; stolen < 8; ++stolen) {
    int pushed = 0;
    while (pushed < 8 && d.push(j[pushed])) ++pushed;
    for (int i = 0; i < std::min(stolen, pushed); ++i) ASSERT_NE(d.steal().job, nullptr);
    while (int* const job = d.pop()) {
      ASSERT_TRUE(d.push(job));
      ASSERT_EQ(d.pop(), job);
    }
  }
}

TYPED_TEST(Deque, GrowsWhileItsJobsLieAcrossTheEndOfTheBuffer) {
  TypeParam d(4, 8);
  jobs j(8);
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(d.push(j[i]));
  for (int i = 0; i < 3; ++i) ASSERT_EQ(d.steal().job, j[i]);
  for (int i = 3; i < 8; ++i) ASSERT_TRUE(d.push(j[i]));  // positions 3 to 7 of 4 slots
  EXPECT_EQ(d.capacity(), 8U);
  EXPECT_EQ(d.steal().job, j[3]);
  for (int i = 7; i > 3; --i) EXPECT_EQ(d.pop(), j[i]);
}

TYPED_TEST(Deque, DoesNotGrowIfThievesHaveMadeRoom) {
  if (!TypeParam::grows) GTEST_SKIP();
  TypeParam d(2, 8);
  jobs j(3);
  ASSERT_TRUE(d.push(j[0]) && d.push(j[1]));
  ASSERT_EQ(d.steal().job, j[0]);
  ASSERT_TRUE(d.push(j[2]));
  EXPECT_EQ(d.capacity(), 2U);
}

#ifndef ALLOCATION_IS_THE_SANITIZERS
TYPED_TEST(Deque, SaysHowManyBytesItHasAllocatedForItsJobs) {
  allocated = 0;
  TypeParam d(4, 64);
  const std::size_t before = allocated;
  EXPECT_EQ(d.bytes(), before);
  jobs j(33);
  for (int i = 0; i < 33; ++i) ASSERT_TRUE(d.push(j[i]));
  EXPECT_GE(d.bytes(), d.capacity() * sizeof(int*));
  EXPECT_EQ(d.bytes() > before, TypeParam::grows);
  const std::size_t most = d.bytes();
  for (int i = 0; i < 33; ++i) ASSERT_NE(d.pop(), nullptr);
  EXPECT_EQ(d.bytes(), most);
}

TYPED_TEST(Deque, RefusesAPushWithoutMemoryAndGrowsOnceThereIsSome) {
  if (!TypeParam::grows) GTEST_SKIP();
  TypeParam d(2, 4);
  jobs j(3);
  ASSERT_TRUE(d.push(j[0]) && d.push(j[1]));
  allocations_left = 0;
  const bool pushed = d.push(j[2]);
  allocations_left = INT_MAX;
  EXPECT_FALSE(pushed);
  EXPECT_EQ(d.capacity(), 2U);
  EXPECT_TRUE(d.push(j[2]));
  EXPECT_EQ(d.capacity(), 4U);
  for (int i = 2; i >= 0; --i) EXPECT_EQ(d.pop(), j[i]);
}

TYPED_TEST(Deque, ThrowsIfAnythingThatItBeginsWithCannotBeAllocated) {
  int needed = 0;
  for (bool is_made = false; !is_made; ++needed) {
    allocations_left = needed;
    try {
      TypeParam(2, 4);
      is_made = true;
    } catch (const std::bad_alloc&) {
    }
    allocations_left = INT_MAX;
  }
  EXPECT_GT(needed, 1);
}
#endif

TYPED_TEST(Deque, RejectsCapacitiesThatAreNoPowersOfTwoInOrder) {
  EXPECT_THROW(TypeParam(0, 4), std::invalid_argument);
  EXPECT_THROW(TypeParam(3, 4), std::invalid_argument);
  EXPECT_THROW(TypeParam(4, 6), std::invalid_argument);
  EXPECT_THROW(TypeParam(8, 4), std::invalid_argument);
}

TYPED_TEST(Deque, DestructionLeavesUntakenJobsAlone) {
  jobs j(3);
  {
    TypeParam d(1, 4);  // grows twice: a leak of an old buffer is the address sanitizer's to find
    for (int i = 0; i < 3; ++i) ASSERT_TRUE(d.push(j[i]));
  }
  for (int i = 0; i < 3; ++i) EXPECT_EQ(*j[i], i);
}

// Counts what a deque asks of its memory model.
struct counting_model : engine::std_machine {
  static inline int fences = 0;
  static inline int light_fences = 0;
  static inline int heavy_fences = 0;
  static void reset() { fences = light_fences = heavy_fences = 0; }
  static void fence(engine::order /*o*/) { ++fences; }
  static void light_fence() { ++light_fences; }
  static void heavy_fence() { ++heavy_fences; }
};

/// Records which words have a name.
struct naming_model : engine::std_machine {
  static inline std::vector<const void*> named;
  template <class T>
  static void name(const T& word, const char* /*name*/) {
    named.push_back(&word);
  }
};

template <class Ring>
// NOLINTNEXTLINE(readability-identifier-naming): GoogleTest shows it as the name of the suite.
class DequeOfTwoThieves : public testing::Test {};

TYPED_TEST_SUITE(DequeOfTwoThieves, rings::types, ring_names);

TYPED_TEST(DequeOfTwoThieves, CountsEachOfTheirAttemptsByItsOutcome) {
  typename TypeParam::template deque<int*, engine::interrupted_machine> d(8, 8);
  jobs j(4);
  for (int i = 0; i < 4; ++i) ASSERT_TRUE(d.push(j[i]));
  engine::steal_attempts tried;
  const auto steal = [&] {
    const auto result = d.steal();
    note(result.outcome, tried);
    return result.job;
  };
  EXPECT_EQ(steal(), j[0]);  // Some deques have jobs public from now on.
  int* first = nullptr;
  engine::interrupted_machine::meanwhile = [&] { first = steal(); };
  int* second = steal();
  const bool has_race = engine::interrupted_machine::meanwhile == nullptr;
  engine::interrupted_machine::meanwhile = nullptr;
  EXPECT_EQ(has_race, TypeParam::name != "locked") << "who waits for a lock finds what is left";
  if (has_race) {
    EXPECT_EQ(second, nullptr);
    EXPECT_EQ(tried.lost, 1U);
    second = first;
  }
  EXPECT_EQ(second, j[1]);
  EXPECT_EQ(steal(), j[2]);
  EXPECT_EQ(steal(), j[3]);
  EXPECT_EQ(steal(), nullptr);
  EXPECT_EQ(tried.taken, 4U);
  EXPECT_EQ(tried.empty, 1U);
  EXPECT_EQ(tried.lost, has_race ? 1U : 0U);
}

// Of what is named twice, something else has lost its name, by which simulated time is reported.
TYPED_TEST(DequeOfTwoThieves, NamesEachOfItsWordsOnce) {
  naming_model::named.clear();
  const typename TypeParam::template deque<int*, naming_model> d(8, 8);
  const std::set<const void*> words(naming_model::named.begin(), naming_model::named.end());
  EXPECT_EQ(words.size(), naming_model::named.size());
}

TEST(BwosDeque, DoesNotGoDownIntoMemoryThatServesALaterBlock) {
  bwos_deque<int*> d(2, 2);  // Two blocks of one job.
  jobs j(4);
  ASSERT_TRUE(d.push(j[0]));
  EXPECT_EQ(d.steal().job, j[0]);
  ASSERT_TRUE(d.push(j[1]) && d.push(j[2]));
  EXPECT_EQ(d.pop(), j[2]);
  EXPECT_EQ(d.pop(), j[1]);
  EXPECT_EQ(d.pop(), nullptr);
  ASSERT_TRUE(d.push(j[3]));
  EXPECT_EQ(d.steal().job, j[3]);
}

TEST(BwosDeque, OneHeavyFenceOpensABlockThatItsOwnerTakesBack) {
  bwos_deque<int*, counting_model> d(8, 8);  // Blocks of two jobs.
  jobs j(4);
  ASSERT_TRUE(d.push(j[0]) && d.push(j[1]));
  counting_model::reset();
  EXPECT_EQ(d.steal_granted().job, nullptr);
  EXPECT_EQ(counting_model::heavy_fences, 0);
  EXPECT_EQ(d.steal().job, j[0]);
  EXPECT_EQ(counting_model::heavy_fences, 1);
  EXPECT_EQ(d.steal_granted().job, j[1]);
  EXPECT_EQ(d.pop(), nullptr);
  ASSERT_TRUE(d.push(j[2]));
  EXPECT_EQ(d.steal_granted().job, nullptr);
  d.expose();
  EXPECT_EQ(d.steal_granted().job, j[2]);
  EXPECT_EQ(counting_model::heavy_fences, 1);
  EXPECT_EQ(counting_model::fences, 0);
}

TEST(AbpDeque, StartsOverOnceItsOwnerHasFoundItEmpty) {
  abp_deque<int*> d(2, 2);
  jobs j(2);
  for (int round = 0; round < 9; ++round) {
    ASSERT_TRUE(d.push(j[0]) && d.push(j[1]));
    EXPECT_EQ(d.steal().job, j[0]);
    EXPECT_FALSE(d.push(j[0]));  // The array is not circular.
    EXPECT_EQ(d.pop(), j[1]);
    ASSERT_TRUE(d.push(j[0]));
    EXPECT_EQ(d.steal().job, j[0]);
    EXPECT_EQ(d.pop(), nullptr);
  }
}

template <class D>
void expect_one_fence_each() {
  D d(4, 4);
  jobs j(2);
  counting_model::reset();
  ASSERT_TRUE(d.push(j[0]) && d.push(j[1]));
  EXPECT_EQ(counting_model::fences, 0);
  EXPECT_EQ(d.pop(), j[1]);
  EXPECT_EQ(counting_model::fences, 1);
  EXPECT_EQ(d.steal().job, j[0]);
  EXPECT_EQ(counting_model::fences, 2);
  EXPECT_EQ(counting_model::light_fences + counting_model::heavy_fences, 0);
}

TEST(SymmetricDeques, HaveTheirOwnerAndAThiefPassOneFenceEach) {
  expect_one_fence_each<abp_deque<int*, counting_model>>();
  expect_one_fence_each<chase_lev_deque<int*, counting_model>>();
}

}  // namespace
}  // namespace stealbench::work_stealing
