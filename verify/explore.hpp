// Runs a Relacy test suite and says what came of it; and what suites need inside.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "verify/check.hpp"
#include "verify/mutation.hpp"

#include "verify/relacy_machine.hpp"

namespace stealbench::verify {

/// Inside a suite: fails the execution unless `holds`.
inline void expect(bool holds, const char* claim, source s = source::here()) {
  if (!holds) rl::ctx().fail_test(claim, rl::test_result_user_assert_failed, s.info());
}

/// What a search asks of a suite, the suite's type erased. A search is some 9000 lines of templates
/// over the suite: so it is compiled once per number of threads, in explore.cpp, and not once per
/// suite.
struct suite_steps {
  rl::thread_id_t threads;  ///< That run from the start; `started` more may be started by them.
  rl::thread_id_t started;
  std::size_t bytes;
  std::size_t alignment;
  void (*construct)(void* place);
  void (*before)(void* suite);
  void (*invariant)(void* suite);
  void (*thread)(void* suite, unsigned who);
  void (*after)(void* suite);
  void (*destroy)(void* suite);
};

template <class Suite>
inline constexpr suite_steps steps_of{
    Suite::params::static_thread_count,
    Suite::params::dynamic_thread_count,
    sizeof(Suite),
    alignof(Suite),
    [](void* place) { ::new (place) Suite; },
    [](void* suite) { static_cast<Suite*>(suite)->before(); },
    [](void* suite) { static_cast<Suite*>(suite)->invariant(); },
    [](void* suite, unsigned who) { static_cast<Suite*>(suite)->thread(who); },
    [](void* suite) { static_cast<Suite*>(suite)->after(); },
    [](void* suite) { std::destroy_at(static_cast<Suite*>(suite)); },
};

/// Simulates a suite of 2 to 4 threads, or of one that starts 1 or 2, until it fails or the search
/// ends.
[[nodiscard]] verdict explore(const suite_steps& suite, const search& s);

/// The same for `Suite`, an rl::test_suite.
template <class Suite>
[[nodiscard]] verdict explore(const search& s) {
  constexpr auto started = Suite::params::dynamic_thread_count;
  constexpr auto all = Suite::params::static_thread_count + started;
  static_assert(started == 0 ? all >= 2 && all <= 4 : all == started + 1 && all <= 3);
  return explore(steps_of<Suite>, s);
}

template <class Suite>
[[nodiscard]] check check_of(std::string name, std::string scenario, std::vector<search> searches,
                             std::string_view expected = passes) {
  return {std::move(name), std::move(scenario), std::move(searches),
          [](const search& s) { return explore<Suite>(s); }, std::string(expected)};
}

/// For a matrix.
template <class Suite>
[[nodiscard]] trial trial_of(std::string name, const search& deep) {
  return {std::move(name), static_cast<int>(Suite::params::thread_count), deep,
          [](const search& s) { return explore<Suite>(s); }};
}

}  // namespace stealbench::verify
