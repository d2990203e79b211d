// What types the results of branches, children and runs may have.
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include "schedulers/contract/fixture.hpp"

namespace stealbench::schedulers::contract {
namespace {

/// A result type as a program may have it: `make(i)` returns the result that `is(result, i)` is
/// asked about, as `type`, where fork_join returns a `value`.
template <class Type, class Value = std::remove_cv_t<Type>>
struct result_row {
  using type = Type;
  using value = Value;
};

struct const_text : result_row<const std::string> {
  static const std::string make(int i) { return std::string(40, static_cast<char>(i)); }
  static bool is(const std::string& result, int i) { return result == make(i); }
};
struct const_move_only : result_row<const std::unique_ptr<int>> {
  static const std::unique_ptr<int> make(int i) { return std::make_unique<int>(i); }
  static bool is(const std::unique_ptr<int>& result, int i) { return *result == i; }
};
struct rvalue : result_row<std::string&&> {
  static std::string&& make(int /*i*/) { return std::move(kept); }
  static bool is(const std::string& result, int /*i*/) { return &result == &kept; }
  static inline std::string kept;
};
/// Of a type that has a number.
template <class Type>
struct number_row : result_row<Type> {
  static Type make(int i) { return Type{i}; }
  static bool is(const Type& result, int i) { return result.number == i; }
};
struct number_without_default {
  explicit number_without_default(int value) : number(value) {}
  int number;
};
struct alignas(256) line {
  int number;
};
struct over_aligned : result_row<line> {
  static line make(int i) { return {i}; }
  static bool is(const line& result, int i) {
    return result.number == i && reinterpret_cast<std::uintptr_t>(&result) % alignof(line) == 0;
  }
};
struct [[nodiscard]] not_to_be_dropped {
  int number;
};
/// What `&` and `,` are calls of, which nothing but the program may make.
struct with_operators {
  int number;
  void operator&() const = delete;  // NOLINT(google-runtime-operator)
  template <class Any>
  void operator,(Any&& /*any*/) const = delete;
  template <class Any>
  friend void operator,(Any&& /*any*/, const with_operators& /*right*/) = delete;
};
struct large : result_row<std::array<int, 4096>> {
  static std::array<int, 4096> make(int i) { return {i, i}; }
  static bool is(const std::array<int, 4096>& result, int i) { return result[1] == i; }
};

template <class Row>                         // GoogleTest shows its name as that of the suite.
class ResultType : public testing::Test {};  // NOLINT(readability-identifier-naming)
using result_types =
    testing::Types<const_text, const_move_only, rvalue, number_row<number_without_default>,
                   over_aligned, number_row<not_to_be_dropped>, number_row<with_operators>, large>;
TYPED_TEST_SUITE(ResultType, result_types);

TYPED_TEST(ResultType, OfBranchesChildrenAndRunsMayBeAny) {
  using row = TypeParam;
  using type = typename row::type;
  using value = typename row::value;
  constexpr int forks = 300;  // In some a second branch comes from another worker.
  for (const unsigned workers : {1U, 2U}) {
    subject scheduler(options{.workers = workers});
    // GCC 12 at -O3 makes a loop endless that only allocates what it gives back.
    std::atomic<int> runs = 0;
    scheduler.run([&runs](auto worker) {
      for (int i = 0; i < forks; ++i) {
        auto&& both = worker->fork_join([i](auto) -> type { return row::make(i); },
                                        [i](auto) -> type { return row::make(i + 1); });
        static_assert(std::is_same_v<decltype(both), std::pair<value, value>&&>);
        EXPECT_TRUE(row::is(both.first, i));
        EXPECT_TRUE(row::is(both.second, i + 1));
        auto group = worker->task_group();
        group.spawn([i](auto) -> type { return row::make(i); });
        group.sync();
        worker->parallel_for(0, 2, 1,
                             [&runs](auto, std::size_t) -> type { return row::make(++runs); });
      }
    });
    EXPECT_EQ(runs, 2 * forks);
    EXPECT_TRUE(row::is(scheduler.run([](auto) -> type { return row::make(7); }), 7));
  }
}

}  // namespace
}  // namespace stealbench::schedulers::contract
