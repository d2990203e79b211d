// Where jobs and their closures are kept.
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <vector>

#include <gtest/gtest.h>

#include "schedulers/engine/jobs/closure_stack.hpp"
#include "schedulers/engine/jobs/job_list.hpp"
#include "schedulers/engine/std_machine.hpp"

namespace stealbench::engine {
namespace {

template <std::size_t Bytes>
using bytes = std::array<unsigned char, Bytes>;
struct alignas(64) line {
  bytes<64> content;
};

/// Allocates a T and fills it, so that a sanitizer or another one's content shows an overlap.
template <class T>
T* filled(closure_stack& closures, unsigned char with) {
  void* const memory = closures.allocate<T>();
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory) % alignof(T), 0U);
  T* const object = ::new (memory) T;
  for (std::size_t i = 0; i < sizeof(T); ++i) reinterpret_cast<unsigned char*>(object)[i] = with;
  return object;
}

template <class T>
bool holds(const T* closure, unsigned char content) {
  for (std::size_t i = 0; i < sizeof(T); ++i) {
    if (reinterpret_cast<const unsigned char*>(closure)[i] != content) return false;
  }
  return true;
}

/// More closures of type T than three chunks hold; all are alive at one time. Twice, so that the
/// second time they take the chunks of the first.
template <class T>
void fill_chunks() {
  closure_stack closures;
  constexpr std::size_t count = 3 * closure_stack::chunk_bytes / sizeof(T) + 1;
  std::vector<std::vector<T*>> rounds(2);
  for (std::vector<T*>& objects : rounds) {
    for (std::size_t i = 0; i < count; ++i) {
      objects.push_back(filled<T>(closures, static_cast<unsigned char>(i)));
    }
    for (std::size_t i = count; i-- > 0;) {
      EXPECT_TRUE(holds(objects[i], static_cast<unsigned char>(i))) << i;
      closures.release(objects[i]);
    }
  }
  EXPECT_EQ(rounds[0], rounds[1]);
}

TEST(ClosureStack, KeepsClosuresApartOverManyChunks) {
  fill_chunks<bytes<1>>();
  fill_chunks<bytes<40>>();
  fill_chunks<bytes<closure_stack::most_bytes>>();
  fill_chunks<std::array<std::uint64_t, 5>>();
  fill_chunks<line>();
}

TEST(ClosureStack, GivesTheMemoryOfTheLatestToTheNext) {
  closure_stack closures;
  auto* const below = filled<bytes<100>>(closures, 1);
  auto* const first = filled<bytes<8>>(closures, 2);
  closures.release(first);
  auto* const second = filled<line>(closures, 3);
  EXPECT_LT(reinterpret_cast<std::uintptr_t>(second),
            reinterpret_cast<std::uintptr_t>(first) + alignof(line));
  EXPECT_TRUE(holds(below, 1));
  closures.release(second);
  closures.release(below);
  EXPECT_EQ(closures.allocate<bytes<100>>(), below);
}

TEST(ClosureStack, TakesWhatIsTooLargeOrTooAlignedElsewhere) {
  struct alignas(256) page {
    bytes<256> content;
  };
  closure_stack closures;
  auto* const small = filled<bytes<8>>(closures, 1);
  auto* const large = filled<bytes<closure_stack::most_bytes + 1>>(closures, 2);
  auto* const aligned = filled<page>(closures, 3);
  auto* const next = filled<bytes<8>>(closures, 4);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(next), reinterpret_cast<std::uintptr_t>(small) + 8);
  closures.release(next);
  closures.release(aligned);
  EXPECT_TRUE(holds(large, 2));
  closures.release(large);
  closures.release(small);
}

struct item : job_list_links<std_machine> {};
using tested_list = job_list<item, std_machine>;

class JobList : public testing::Test {  // NOLINT: GoogleTest shows it as the name of the suite.
 protected:
  void push(std::initializer_list<item*> jobs) {
    for (item* each : jobs) list.push(*each);
  }
  tested_list list;
  item a{};
  item b{};
  item c{};
};

TEST_F(JobList, GivesTheOldestFirstOrTheNewestIfAskedTo) {
  push({&a, &b, &c});
  EXPECT_EQ(list.take(), &a);
  EXPECT_EQ(list.take_newest(), &c);
  push({&a});
  EXPECT_EQ(list.take(), &b);
  EXPECT_EQ(list.take_newest(), &a);
  EXPECT_EQ(list.take_newest(), nullptr);
  EXPECT_EQ(list.take(), nullptr);
}

TEST_F(JobList, MovesItsOldestJobsToTheEndOfAnother) {
  tested_list target;
  item d{};
  push({&a, &b, &c});
  target.push(d);
  std::vector<item*> moved;
  const auto move = [&](tested_list& one, tested_list& other, int how_many) {
    return tested_list::move_oldest(
        one, other, [=](int /*here*/, int /*there*/) { return how_many; },
        [&](item& each) { moved.push_back(&each); });
  };
  EXPECT_EQ(move(list, target, 2), 2);
  EXPECT_EQ(moved, (std::vector{&a, &b}));
  EXPECT_EQ(list.size(), 1);
  EXPECT_EQ(target.size(), 3);
  for (item* each : {&d, &a, &b}) EXPECT_EQ(target.take(), each);
  EXPECT_EQ(move(target, list, 0), 0);
  EXPECT_EQ(list.take(), &c);
}

TEST_F(JobList, TakesNoJobOutThatIsElsewhere) {
  push({&a});
  EXPECT_EQ(list.take_out_if(a, [] { return false; }), std::nullopt);
  EXPECT_EQ(list.take_out_if(a, [] { return true; }), true);
  EXPECT_EQ(list.take_out_if(a, [] { return true; }), false);
  push({&a});
  EXPECT_EQ(list.take(), &a);
  EXPECT_FALSE(list.take_out(a)) << "it was taken";
}

TEST_F(JobList, GivesUpAJobFromAnyPlaceAndTakesItAgain) {
  push({&a, &b, &c});
  EXPECT_TRUE(list.take_out(b));
  EXPECT_FALSE(list.take_out(b));
  EXPECT_TRUE(list.take_out(c));
  push({&b});
  EXPECT_TRUE(list.take_out(a));
  push({&a});
  EXPECT_EQ(list.take(), &b);
  EXPECT_EQ(list.take(), &a);
  EXPECT_TRUE(list.looks_empty());
}

}  // namespace
}  // namespace stealbench::engine
