// What the adapters of libraries share.
#include <array>
#include <cstddef>
#include <limits>
#include <memory>
#include <memory_resource>
#include <new>
#include <system_error>

#include <gtest/gtest.h>

#include "schedulers/adapters/deferred_group.hpp"
#include "schedulers/adapters/pieces.hpp"
#include "schedulers/adapters/spawning_group.hpp"

namespace stealbench::schedulers {
namespace {

constexpr std::size_t most = std::numeric_limits<std::size_t>::max();

TEST(Pieces, AreAsManyAsHoldAGrainEach) {
  EXPECT_EQ(pieces(5, 5, 3).count(), 0U);
  EXPECT_EQ(pieces(6, 5, 3).count(), 0U);
  EXPECT_EQ(pieces(0, 29, 10).count(), 2U);
  EXPECT_EQ(pieces(0, 30, 10).count(), 3U);
  EXPECT_EQ(pieces(0, 3, 10).count(), 1U);
  EXPECT_EQ(pieces(0, 10, 0).count(), 10U);
  EXPECT_EQ(pieces(0, 10, most).count(), 1U);
}

TEST(Pieces, CoverTheLoopAndDifferByOneIndexAtMost) {
  for (const std::size_t first : {std::size_t{0}, most - 40}) {
    for (std::size_t length = 1; length <= 40; ++length) {
      for (std::size_t grain = 1; grain <= length; ++grain) {
        const pieces cut(first, first + length, grain);
        EXPECT_EQ(cut.begin(0), first);
        EXPECT_EQ(cut.begin(cut.count()), first + length);
        for (std::size_t i = 0; i < cut.count(); ++i) {
          const std::size_t held = cut.begin(i + 1) - cut.begin(i);
          EXPECT_GE(held, grain);
          EXPECT_LE(held, length / cut.count() + 1);
        }
      }
    }
  }
}

/// A library that runs `most` children and then throws, if there are more.
struct throwing_library {
  std::size_t most = ~std::size_t{0};

  template <class Child>
  void run_all(std::size_t count, const Child& child) const {
    for (std::size_t i = 0; i < count; ++i) {
      if (i == most) throw std::system_error(std::make_error_code(std::errc::not_enough_memory));
      child(*this, i);
    }
  }
};

/// Spawns children of `Size` bytes until there is no memory: how many of them are never destroyed.
template <std::size_t Size>
long children_lost() {
  std::pmr::memory_resource* const usual =
      std::pmr::set_default_resource(std::pmr::null_memory_resource());
  const auto owned = std::make_shared<int>(0);
  {
    deferred_group group(throwing_library{});
    try {
      for (;;)
        group.spawn(
            [owned, room = std::array<std::byte, Size>()](auto) { static_cast<void>(room); });
    } catch (const std::bad_alloc&) {
    }
  }
  std::pmr::set_default_resource(usual);
  return owned.use_count() - 1;
}

TEST(DeferredGroup, DestroysEveryClosureWhereverMemoryEnds) {
  const std::array lost{children_lost<1>(),  children_lost<24>(), children_lost<40>(),
                        children_lost<56>(), children_lost<72>(), children_lost<120>(),
                        children_lost<200>()};
  EXPECT_EQ(lost, (std::array<long, 7>{}));
}

/// Knows how many bytes it has given out.
class counting_memory : public std::pmr::memory_resource {
 public:
  std::size_t held = 0;

 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    held += bytes;
    return std::pmr::new_delete_resource()->allocate(bytes, alignment);
  }
  void do_deallocate(void* place, std::size_t bytes, std::size_t alignment) override {
    held -= bytes;
    std::pmr::new_delete_resource()->deallocate(place, bytes, alignment);
  }
  [[nodiscard]] bool do_is_equal(const memory_resource& other) const noexcept override {
    return this == &other;
  }
};

TEST(DeferredGroup, KeepsNoMemoryBehindItsSync) {
  counting_memory memory;
  std::pmr::memory_resource* const usual = std::pmr::set_default_resource(&memory);
  deferred_group group(throwing_library{});
  for (int i = 0; i < 100; ++i) group.spawn([](auto) {});
  EXPECT_GT(memory.held, 0U);
  group.sync();
  EXPECT_EQ(memory.held, 0U);
  std::pmr::set_default_resource(usual);
}

TEST(DeferredGroup, RunsNoChildAgainAfterTheLibraryHasThrown) {
  int runs = 0;
  {
    deferred_group group(throwing_library{3});
    for (int i = 0; i < 5; ++i) group.spawn([&runs](auto) { ++runs; });
    EXPECT_THROW(group.sync(), std::system_error);
    EXPECT_EQ(runs, 3);
    group.spawn([&runs](auto) { runs += 10; });
    group.sync();
  }
  EXPECT_EQ(runs, 13);
}

/// A library that runs a child at its spawn.
struct eager_library {
  static void run(const auto& child) { child(); }
  static void wait() {}
};

TEST(SpawningGroup, RethrowsWhatItsFirstChildHasThrown) {
  spawning_group<int, eager_library> group(0);
  group.spawn([](int) { throw 'a'; });
  group.spawn([](int) { throw "later"; });
  EXPECT_THROW(group.sync(), char);
}

}  // namespace
}  // namespace stealbench::schedulers
