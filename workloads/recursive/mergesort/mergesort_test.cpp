#include "workloads/recursive/mergesort/mergesort.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "schedulers/serial/scheduler.hpp"
#include "schedulers/work_span/scheduler.hpp"
#include "workloads/kit/sorting.hpp"
#include "workloads/prepared_fixture.hpp"

namespace stealbench::mergesort {
namespace {

constexpr auto& prepared = workloads::prepared<workload>;

std::uint64_t keys_copied = 0;

/// Tells each copy, and no move: so all that sorts a piece in place takes no time.
struct counted_key {
  std::uint64_t value = 0;

  counted_key() = default;
  counted_key(counted_key&&) = default;
  counted_key& operator=(counted_key&&) = default;
  counted_key& operator=(const counted_key& other) {
    ++keys_copied;
    value = other.value;
    return *this;
  }
  counted_key(const counted_key& other) : value(other.value) {}
  ~counted_key() = default;
  friend bool operator<(const counted_key& left, const counted_key& right) {
    return left.value < right.value;
  }
};

/// Work and span in copies of keys. The keys are in bit-reversed order, so that a parallel merge
/// divides both of its runs in the middle.
work_span::record recorded(unsigned lg_keys, std::size_t grain, merge_kind merge) {
  std::vector<counted_key> keys(std::size_t{1} << lg_keys);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    for (unsigned bit = 0; bit < lg_keys; ++bit) {
      keys[i].value |= (i >> bit & 1) << (lg_keys - 1 - bit);
    }
  }
  std::vector<counted_key> buffer(keys.size());
  work_span::recording::chosen = {.clock = [] { return keys_copied; }};
  work_span::scheduler({}).run([&](work_span::worker worker) {
    return sort(worker, std::span(keys), std::span(buffer), destination::keys, {grain, merge});
  });
  EXPECT_TRUE(std::is_sorted(keys.begin(), keys.end()));
  return work_span::recording::latest;
}

// Of n keys in k levels of merges above pieces of g keys: work n·k, whichever the merge. Serial
// merges in a row take 2g + 4g + … + n = 2n - 2g, so that the parallelism grows as lg n / 2;
// parallel ones take g each, and the parallelism is n / g.
TEST(Mergesort, HasTheWorkAndTheSpanOfTheFormulasWithEitherMerge) {
  constexpr std::size_t grain = 4;
  for (const unsigned levels : {2U, 6U, 12U}) {  // Even, so that no piece is copied to the buffer.
    const double keys = std::ldexp(static_cast<double>(grain), static_cast<int>(levels));
    const work_span::record serial = recorded(levels + 2, grain, merge_kind::serial);
    EXPECT_EQ(serial.work_ns, keys * levels);
    EXPECT_EQ(serial.span_ns, 2 * keys - 2 * grain);
    EXPECT_NEAR(serial.parallelism(), levels / 2.0, levels * grain / keys);
    const work_span::record parallel = recorded(levels + 2, grain, merge_kind::parallel);
    EXPECT_EQ(parallel.work_ns, keys * levels);
    EXPECT_EQ(parallel.span_ns, grain * levels);
    EXPECT_EQ(parallel.parallelism(), keys / grain);
  }
}

std::vector<key> sorted_copy(std::vector<key> keys) {
  std::sort(keys.begin(), keys.end());
  return keys;
}

TEST(Mergesort, SortsKeysThatAreAllEqual) {
  workload::input in = prepared({{"keys", "1000"}, {"grain", "4"}});
  std::fill(in.keys.begin(), in.keys.end(), 5);
  in.expected_hash = kit::multiset_hash(in.keys);
  const workload::output out = workload::run(serial::worker{}, in);
  EXPECT_EQ(workload::verify(in, out), true);
}

TEST(Mergesort, SortsIntoTheBufferAsWell) {
  workload::input in = prepared({{"keys", "1000"}, {"grain", "16"}});
  const std::vector<key> expected = sorted_copy(in.keys);
  sort(serial::worker{}, std::span(in.keys), std::span(in.buffer), destination::buffer,
       {in.grain, in.merge});
  EXPECT_EQ(in.buffer, expected);
}

TEST(Mergesort, ForksOnceForEveryHalvingAboveTheGrainAndWithAParallelMergeThereToo) {
  const auto forks = [](const std::vector<kit::assignment>& chosen) {
    workload::input in = prepared(chosen);
    return workload::run(serial::worker{}, in).forks;
  };
  EXPECT_EQ(forks({{"keys", "4096"}}), 0u);
  EXPECT_EQ(forks({{"keys", "2^14"}, {"grain", "2^10"}, {"merge", "serial"}}), 15u);
  const std::uint64_t in_parallel = forks({{"keys", "2^14"}, {"grain", "2^10"}});
  EXPECT_GT(in_parallel, 15u);
  EXPECT_EQ(forks({{"keys", "2^14"}, {"grain", "2^10"}}), in_parallel) << "of the same keys";
}

/// Loses the second branch of one fork.
struct forgetful_worker {
  std::uint64_t* forks_until_loss;

  const forgetful_worker* operator->() const { return this; }
  template <class F, class G>
  [[nodiscard]] std::pair<std::uint64_t, std::uint64_t> fork_join(const F& f, const G& g) const {
    const bool is_lost = (*forks_until_loss)-- == 0;
    const std::uint64_t left = f(*this);
    return {left, is_lost ? 0 : g(*this)};
  }
};

TEST(Mergesort, NoticesEachLostBranchInALaterRunToo) {
  workload::input in = prepared({{"keys", "2^10"}, {"grain", "2^6"}});
  const std::uint64_t forks = workload::run(serial::worker{}, in).forks;
  for (std::uint64_t lost = 0; lost < forks; ++lost) {
    workload::reset(in);
    std::uint64_t forks_until_loss = lost;
    const workload::output out = workload::run(forgetful_worker{&forks_until_loss}, in);
    EXPECT_EQ(workload::verify(in, out), false) << "fork " << lost;
    workload::reset(in);
    workload::run(serial::worker{}, in);
  }
}

TEST(Mergesort, TakesItsKeysFromTheSeedAlone) {
  EXPECT_EQ(prepared({{"keys", "100"}}).keys, prepared({{"keys", "100"}}).keys);
  EXPECT_NE(prepared({{"keys", "100"}}).keys, prepared({{"keys", "100"}, {"seed", "2"}}).keys);
}

TEST(Mergesort, NoticesALostKeyAmongSortedOnesAndKeysOutOfOrder) {
  workload::input in = prepared({{"keys", "1000"}});
  const workload::output out = workload::run(serial::worker{}, in);
  const key lost = std::exchange(in.keys[500], in.keys[501]);
  EXPECT_EQ(workload::verify(in, out), false);
  EXPECT_EQ(workload::answer(in, out)["sorted"], true);
  EXPECT_NE(workload::answer(in, out)["multiset_hash"],
            workload::answer(in, out)["multiset_hash_before"]);
  in.keys[500] = lost;
  std::swap(in.keys[3], in.keys[4]);
  EXPECT_EQ(workload::verify(in, out), false);
  EXPECT_EQ(workload::answer(in, out)["sorted"], false);
}

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
