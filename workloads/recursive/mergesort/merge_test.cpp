#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "schedulers/serial/scheduler.hpp"
#include "workloads/recursive/mergesort/mergesort.hpp"

namespace stealbench::mergesort {
namespace {

/// Compares by the key alone, so that the origin shows which of two equal keys came first.
struct tagged {
  int key;
  int origin;

  bool operator<(const tagged& other) const { return key < other.key; }
  bool operator==(const tagged&) const = default;
};

/// A sorted run of keys in [0, distinct), with origins counted up from `first_origin`.
std::vector<tagged> run_of(std::size_t size, int distinct, int first_origin, std::mt19937& random) {
  std::vector<int> keys(size);
  std::uniform_int_distribution<int> any(0, distinct - 1);
  for (int& key : keys) key = any(random);
  std::sort(keys.begin(), keys.end());
  std::vector<tagged> run;
  run.reserve(size);
  for (const int key : keys) run.push_back({key, first_origin++});
  return run;
}

std::vector<tagged> merged_by_library(const std::vector<tagged>& left,
                                      const std::vector<tagged>& right) {
  std::vector<tagged> out(left.size() + right.size());
  std::merge(left.begin(), left.end(), right.begin(), right.end(), out.begin());
  return out;
}

struct two_runs {
  std::vector<tagged> left;
  std::vector<tagged> right;

  [[nodiscard]] std::size_t size() const { return left.size() + right.size(); }
  [[nodiscard]] std::string name() const {
    return std::to_string(left.size()) + " and " + std::to_string(right.size()) + " keys";
  }
};

/// Empty, single, uneven and equal runs, of keys that are all equal, few, or nearly distinct.
std::vector<two_runs> many_runs() {
  struct shape {
    std::size_t left;
    std::size_t right;
    int distinct;
  };
  std::mt19937 random(7);
  std::vector<two_runs> all;
  for (const shape sizes :
       {shape{0, 0, 1}, shape{1, 0, 1}, shape{0, 1, 1}, shape{1, 1, 1}, shape{2, 1, 1},
        shape{1, 2, 2}, shape{100, 0, 5}, shape{0, 100, 5}, shape{100, 100, 1}, shape{100, 101, 3},
        shape{7, 500, 40}, shape{500, 7, 40}, shape{300, 400, 1000}}) {
    all.push_back({run_of(sizes.left, sizes.distinct, 0, random),
                   run_of(sizes.right, sizes.distinct, 1'000'000, random)});
  }
  return all;
}

TEST(Merge, IsStableOneAfterTheOtherAndInParallelAndForksOnlyAboveTheGrain) {
  for (const two_runs& runs : many_runs()) {
    SCOPED_TRACE(runs.name());
    const std::vector<tagged> expected = merged_by_library(runs.left, runs.right);
    std::vector<tagged> out(runs.size());
    merge_serially<tagged>(runs.left, runs.right, out);
    EXPECT_EQ(out, expected);
    const auto forks_at = [&](std::size_t grain) {
      out.assign(out.size(), {});
      const auto forks =
          merge_in_parallel<tagged>(serial::worker{}, runs.left, runs.right, out, grain);
      EXPECT_EQ(out, expected) << grain;
      return forks;
    };
    for (const std::size_t grain : {2U, 3U, 10U, 64U}) forks_at(grain);
    EXPECT_EQ(forks_at(std::max<std::size_t>(out.size(), 2)), 0u);
    if (out.size() > 2) {
      EXPECT_GT(forks_at(out.size() - 1), 0u);
    }
  }
}

}  // namespace
}  // namespace stealbench::mergesort
