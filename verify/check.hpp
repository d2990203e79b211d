// A check is a suite, the searches to run it with and the outcome that is expected; an executable
// of checks has one command line and one exit status. Knows nothing of Relacy.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "verify/failure.hpp"

namespace stealbench::verify {

/// How to walk through the executions of a suite.
struct search {
  enum class kind : std::uint8_t {
    full,    ///< Every interleaving, and of each load the newest value and the one before it.
    bound,   ///< As full, with at most `limit` switches away from a thread that could go on.
    random,  ///< `limit` executions at random, the two values before the newest one included.
  };
  kind how;
  std::uint64_t limit = 0;
  std::uint64_t first = 1;          ///< The first random execution. Its number is its seed.
  std::string_view label = "long";  ///< Of its CTest, which says in which jobs it runs.
};

constexpr search full{search::kind::full};
constexpr search bound(std::uint64_t switches) { return {search::kind::bound, switches}; }
constexpr search random(std::uint64_t executions, std::uint64_t first = 1) {
  return {search::kind::random, executions, first};
}
/// Too long for every push: the suite has a shorter search too.
constexpr search nightly(const search& s) { return {s.how, s.limit, s.first, "nightly"}; }
/// Minutes to hours.
constexpr search deep(const search& s) { return {s.how, s.limit, s.first, "deep"}; }

[[nodiscard]] std::string to_string(const search& s);

/// What a search has found. `outcome` is Relacy's word for it: "SUCCESS", "DATA RACE", …
struct verdict {
  std::string outcome;
  std::uint64_t executions;  ///< Until the first that failed, it included.
  double seconds;
  failure failed = {};  ///< Unless it has passed.
};

inline constexpr std::string_view passes = "SUCCESS";

struct check {
  std::string name;
  std::string scenario;  ///< One sentence; for a survivor, why Relacy cannot or need not catch it.
  std::vector<search> searches;
  std::function<verdict(const search&)> explore;  ///< Runs the suite.
  /// The outcome that counts as passed: SUCCESS, unless the suite is there to be caught.
  std::string expected = std::string(passes);
  /// Why this cannot be expected of the tool, if it cannot: then it runs by its name alone, and
  /// CTest shows it as disabled.
  std::string disabled = {};
};

/// The main() of an executable of checks: runs every enabled check with every search labelled long,
/// or what its options say (--help).
/// Where the environment has STEALBENCH_FRESH_SEEDS=FACTOR, a random search of a check that is
/// expected to pass makes FACTOR times as many executions, other ones each time; it prints which.
/// Ends with the number of searches that passed, or with the shortest execution that failed and how
/// to repeat it. Each whole trace goes to PROGRAM.SUITE.SEARCH.trace.
/// Returns 0 if all had an expected outcome, 1 if one had not, 2 for a bad command line.
[[nodiscard]] int run_checks(int argc, char** argv, const std::vector<check>& checks);

}  // namespace stealbench::verify
