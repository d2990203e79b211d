// What fork_join and run return.
#include <array>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

#include "schedulers/contract/fixture.hpp"

namespace stealbench::schedulers::contract {
namespace {

// Each fork is repeated, so that in some a second branch comes from another worker.
constexpr int repeats = 300;

TEST_P(SchedulerContract, ReturnsBothValuesReferencesAsReferencesAndVoidAsMonostate) {
  scheduler_.run([](auto worker) {
    for (int i = 0; i < repeats; ++i) {
      auto both = worker->fork_join([i](auto) { return i; },
                                    [i](auto) { return std::string(40, static_cast<char>(i)); });
      static_assert(std::is_same_v<decltype(both), std::pair<int, std::string>>);
      EXPECT_EQ(both.first, i);
      EXPECT_EQ(both.second, std::string(40, static_cast<char>(i)));
      auto none = worker->fork_join([](auto) {}, [](auto) {});
      static_assert(std::is_same_v<decltype(none), std::pair<std::monostate, std::monostate>>);
      int left = 0;
      const std::array<int, 3> right{1, 2, 3};
      auto references = worker->fork_join([&](auto) -> int& { return left; },
                                          [&](auto) -> const int& { return right[2]; });
      static_assert(std::is_same_v<decltype(references), std::pair<int&, const int&>>);
      EXPECT_EQ(&references.first, &left);
      EXPECT_EQ(&references.second, &right[2]);
    }
  });
}

/// Neither copied nor made from nothing, and it counts how many of its kind are alive.
class move_only {
 public:
  move_only(int value, int& alive) : value_(std::make_unique<int>(value)), alive_(&alive) {
    ++*alive_;
  }
  move_only(move_only&& other) noexcept : value_(std::move(other.value_)), alive_(other.alive_) {
    ++*alive_;
  }
  move_only(const move_only&) = delete;
  move_only& operator=(const move_only&) = delete;
  ~move_only() { --*alive_; }
  [[nodiscard]] int value() const { return *value_; }

 private:
  std::unique_ptr<int> value_;
  int* alive_;
};

TEST_P(SchedulerContract, MovesResultsThatCannotBeCopiedAndDestroysThemWhereTheSiblingThrows) {
  scheduler_.run([](auto worker) {
    for (int i = 0; i < repeats; ++i) {
      std::array<int, 2> alive{};  // One per branch: they may run at once.
      {
        const auto both = worker->fork_join([&](auto) { return move_only(1, alive[0]); },
                                            [&](auto) { return move_only(2, alive[1]); });
        EXPECT_EQ(both.first.value(), 1);
        EXPECT_EQ(both.second.value(), 2);
      }
      EXPECT_EQ(alive[0], 0);
      EXPECT_EQ(alive[1], 0);
      const auto makes = [&](auto) { return move_only(1, alive[0]); };
      const auto throws = [](auto) -> int { throw failure{5}; };
      EXPECT_EQ(thrown_by([&] { worker->fork_join(makes, throws); }), 5U);
      EXPECT_EQ(alive[0], 0);
      EXPECT_EQ(thrown_by([&] { worker->fork_join(throws, makes); }), 5U);
      EXPECT_EQ(alive[0], 0);
    }
  });
}

TEST_P(SchedulerContract, ReturnsFromARunWhatItsRootReturns) {
  static_assert(std::is_void_v<decltype(scheduler_.run([](auto) {}))>);
  int object = 0;
  int& reference = scheduler_.run([&](auto) -> int& { return object; });
  EXPECT_EQ(&reference, &object);
  EXPECT_EQ(*scheduler_.run([](auto) { return std::make_unique<int>(4); }), 4);
}

}  // namespace
}  // namespace stealbench::schedulers::contract
