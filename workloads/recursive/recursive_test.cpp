// What each program of recursion adds to what is tested of all (catalogue_test.cpp,
// charge_test.cpp).
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "schedulers/serial/scheduler.hpp"
#include "workloads/kit/random.hpp"
#include "workloads/prepared_fixture.hpp"
#include "workloads/recursive/fft/fft.hpp"
#include "workloads/recursive/fib/fib.hpp"
#include "workloads/recursive/health/health.hpp"
#include "workloads/recursive/integrate/integrate.hpp"
#include "workloads/recursive/quicksort/quicksort.hpp"
#include "workloads/recursive/reduce/reduce.hpp"
#include "workloads/recursive/skynet/skynet.hpp"

namespace stealbench::fib {
namespace {

TEST(Fib, HasThePublishedValuesByForksAndByAddition) {
  const std::vector<std::pair<unsigned, std::uint64_t>> published{{0, 0},
                                                                  {1, 1},
                                                                  {2, 1},
                                                                  {20, 6765},
                                                                  {27, 196418},
                                                                  {30, 832040},
                                                                  {35, 9227465},
                                                                  {39, 63245986},
                                                                  {40, 102334155},
                                                                  {42, 267914296},
                                                                  {90, 2880067194370816120}};
  for (const auto& [n, value] : published) {
    EXPECT_EQ(fib_by_addition(n), value) << n;
    if (n <= 30) {
      EXPECT_EQ(fib(serial::worker{}, n), value) << n;
    }
  }
}

}  // namespace
}  // namespace stealbench::fib

namespace stealbench::integrate {
namespace {

constexpr auto& prepared = workloads::prepared<workload>;

TEST(Integrate, ComesToThePublishedIntegral) {
  // Coarser than published, where 10^-9 takes 175 million segments. These are fewer than two
  // million, and each is off by a third of 10^-3 at most.
  workload::input in = prepared({{"epsilon", "1e-3"}});
  const double found = workload::run(serial::worker{}, in);
  EXPECT_NEAR(found, 2500000050000000, 600);
  EXPECT_EQ(workload::verify(in, found), true);
}

TEST(Integrate, RefusesAnEpsilonBelowTheRoundingOfASegment) {
  EXPECT_THROW(prepared({{"bound", "100000"}, {"epsilon", "1e-12"}}), kit::bad_input);
  EXPECT_THROW(prepared({{"bound", "10000"}, {"epsilon", "0.9e-10"}}), kit::bad_input);
  EXPECT_NO_THROW(prepared({{"bound", "10000"}, {"epsilon", "1e-9"}}));
  EXPECT_NO_THROW(prepared({{"bound", "100000"}, {"epsilon", "1e-5"}}));
  EXPECT_NO_THROW(prepared({{"bound", "1000"}, {"epsilon", "1e-12"}}));
}

TEST(Integrate, NoticesTheLossOfOneSmallSegment) {
  workload::input in = prepared({{"bound", "10"}, {"epsilon", "1e-6"}});
  const double found = workload::run(serial::worker{}, in);
  EXPECT_EQ(workload::verify(in, found - 1e-9), false);
}

TEST(Integrate, NoticesThatTheSequentialVersionIsWrongToo) {
  workload::input in = prepared({{"bound", "10"}, {"epsilon", "1e-6"}});
  const double found = workload::run(serial::worker{}, in);
  ASSERT_EQ(workload::verify(in, found), true);
  in.expected->area += 0.1;
  EXPECT_EQ(workload::verify(in, in.expected->area), false);
}

}  // namespace
}  // namespace stealbench::integrate

namespace stealbench::reduce {
namespace {

constexpr auto& prepared = workloads::prepared<workload>;

TEST(Reduce, AddsUpItsPasses) {
  const workload::input once = prepared({{"numbers", "1000"}, {"passes", "1"}});
  const workload::input thrice = prepared({{"numbers", "1000"}, {"passes", "3"}});
  EXPECT_EQ(thrice.expected, 3 * once.expected);
  EXPECT_EQ(workload::verify(thrice, workload::run(serial::worker{}, thrice)), true);
  EXPECT_EQ(workload::verify(thrice, workload::run(serial::worker{}, once)), false);
}

TEST(Reduce, ForksDownToItsGrain) {
  const auto forks = [](const char* numbers) {
    return workload::fork_count(prepared({{"numbers", numbers}, {"grain", "64"}, {"passes", "1"}}),
                                {});
  };
  EXPECT_EQ(forks("64"), 0U);
  EXPECT_EQ(forks("65"), 1U);
  EXPECT_EQ(forks("1024"), 15U);
}

TEST(Reduce, TakesItsNumbersFromTheSeedAlone) {
  EXPECT_EQ(prepared({{"numbers", "100"}}).numbers, prepared({{"numbers", "100"}}).numbers);
  EXPECT_NE(prepared({{"numbers", "100"}}).numbers,
            prepared({{"numbers", "100"}, {"seed", "2"}}).numbers);
}

}  // namespace
}  // namespace stealbench::reduce

namespace stealbench::skynet {
namespace {

workload::input prepared(const std::string& depth) {
  return workload::prepare({workload::describe(), {{"depth", depth}}});
}

TEST(Skynet, HasThePublishedSumOfAMillionLeavesAndAcceptsThePublishedSumsAlone) {
  const workload::input in = prepared("6");
  EXPECT_EQ(workload::run(serial::worker{}, in), 499999500000u);
  EXPECT_EQ(workload::sequential(in), 499999500000u);
  const std::vector<std::pair<std::string, std::uint64_t>> published{{"6", 499999500000},
                                                                     {"8", 4999999950000000}};
  for (const auto& [depth, sum] : published) {
    EXPECT_EQ(workload::verify(prepared(depth), sum), true) << depth;
    EXPECT_EQ(workload::verify(prepared(depth), sum - 1), false) << depth;
  }
}

}  // namespace
}  // namespace stealbench::skynet

namespace stealbench::fft {
namespace {

constexpr auto& prepared = workloads::prepared<workload>;

constexpr double tolerance = 1e-11;

/// exp(2πi · turns).
complex at_angle(double turns) { return std::polar(1.0, 2 * std::numbers::pi * turns); }

std::vector<complex> transformed(const std::vector<complex>& signal, std::size_t leaf) {
  std::vector<complex> spectrum(signal.size());
  transform(serial::worker{}, {signal.data(), 1, signal.size()}, spectrum.data(),
            roots(signal.size()), leaf);
  return spectrum;
}

TEST(Fft, IsTheTransformByDefinition) {
  for (const char* count : {"4", "8", "16", "128"}) {
    const workload::input in = prepared({{"points", count}});
    const auto n = static_cast<double>(in.signal.size());
    for (const std::size_t leaf : {4U, 8U, 64U}) {
      const std::vector<complex> spectrum = transformed(in.signal, leaf);
      for (std::size_t k = 0; k < spectrum.size(); ++k) {
        complex sum = 0;
        for (std::size_t j = 0; j < spectrum.size(); ++j) {
          sum += in.signal[j] * at_angle(-static_cast<double>(j * k) / n);
        }
        EXPECT_LT(std::abs(spectrum[k] - sum), tolerance) << count << " " << leaf << " " << k;
      }
    }
  }
}

TEST(Fft, NoticesALostPieceOfALoop) {
  workload::input in = prepared({{"points", "256"}, {"leaf", "16"}});
  const workload::output out = workload::run(serial::worker{}, in);
  EXPECT_EQ(workload::verify(in, out), true);
  plain_transform(in.all().even(), in.spectrum.data(), in.of_unity);
  EXPECT_EQ(workload::verify(in, out), false);
}

TEST(Fft, AnswersWithItsFirstPoint) {
  workload::input in = prepared({{"points", "4"}});
  in.spectrum = {{2, 3}, {5, 7}, {11, 13}, {17, 19}};
  EXPECT_EQ(workload::answer(in, {})["first_point"].dump(), "[2.0,3.0]");
}

TEST(Fft, NoticesThatTheSequentialVersionIsWrongToo) {
  const workload::input right = prepared({{"points", "256"}});
  for (const double change : {1e-9, -1e-9}) {
    workload::input in = right;
    in.signal[7] += change;
    const workload::output out = workload::run(serial::worker{}, in);
    ASSERT_EQ(workload::verify(in, out), true);
    in.signal = right.signal;
    EXPECT_EQ(workload::verify(in, out), false) << change;
  }
}

TEST(Fft, RefusesWhatIsNoPowerOfTwo) {
  EXPECT_THROW(prepared({{"points", "1000"}}), kit::bad_input);
  EXPECT_THROW(prepared({{"points", "1024"}, {"leaf", "24"}}), kit::bad_input);
}

}  // namespace
}  // namespace stealbench::fft

namespace stealbench::health {
namespace {

constexpr auto& prepared = workloads::prepared<workload>;

TEST(Health, HasThePublishedCensusOfTheTestInput) {
  workload::input in = prepared({{"levels", "3"}, {"cities", "18"}});
  const workload::output out = workload::run(serial::worker{}, in);
  const nlohmann::ordered_json answer = workload::answer(in, out);
  EXPECT_NEAR(answer["stay"].get<double>() / 7280, 5.259341, 1e-6);
  EXPECT_TRUE(answer.dump().starts_with(
      R"({"population":7280,"hospitals":343,"check_ins":5531,"healthy":7160,)"
      R"("waiting":80,"assessed":26,"treated":14,)"))
      << answer;
  EXPECT_EQ(workload::verify(in, out), true);
}

TEST(Health, NoticesAStepThatOneLeafVillageLost) {
  for (const char* steps : {"365", "20"}) {  // With the published census, and with our own.
    workload::input in = prepared({{"levels", "3"}, {"cities", "18"}, {"steps", steps}});
    const workload::output out = workload::run(serial::worker{}, in);
    ASSERT_EQ(workload::verify(in, out), true);
    workload::reset(in);
    const std::uint64_t leaf = 342;
    workload::run(serial::worker{}, in);
    admit(in.people.at(leaf), {});
    EXPECT_EQ(workload::verify(in, out), false) << steps;
  }
}

TEST(PatientList, LosesNobodyWhoeverLeaves) {
  std::vector<patient> people(3);
  for (std::size_t leaving = 0; leaving < 3; ++leaving) {
    patient_list list;
    for (patient& each : people) list.append(each);
    list.remove(people[leaving]);
    list.append(people[leaving]);
    std::size_t length = 0;
    const patient* last = nullptr;
    for (const patient* each = list.first(); each != nullptr; each = each->next) {
      ++length;
      last = each;
    }
    EXPECT_EQ(length, 3u) << leaving;
    EXPECT_EQ(last, &people[leaving]);
  }
}

}  // namespace
}  // namespace stealbench::health

namespace stealbench::quicksort {
namespace {

constexpr auto& prepared = workloads::prepared<workload>;

std::vector<key> sorted_copy(std::vector<key> keys) {
  std::sort(keys.begin(), keys.end());
  return keys;
}

TEST(Quicksort, SortsEveryLengthOfFewOrManyKeys) {
  for (std::size_t length = 0; length < 100; ++length) {
    for (const std::uint64_t distinct : {1U, 2U, 5U, 1000U}) {
      kit::random_stream random(length);
      std::vector<key> keys(length);
      for (key& each : keys) each = random.below(distinct);
      const std::vector<key> expected = sorted_copy(keys);
      sort(serial::worker{}, keys, 2);
      EXPECT_EQ(keys, expected) << length << " keys of " << distinct;
    }
  }
}

TEST(Quicksort, SplitsAnyThreeKeysIntoTwoPartsThatAreInOrder) {
  for (key code = 0; code < 27; ++code) {
    std::vector<key> keys{code / 9, code / 3 % 3, code % 3};
    const std::size_t first_part = split(keys);
    ASSERT_TRUE(first_part == 1 || first_part == 2) << code;
    const auto middle = keys.begin() + static_cast<std::ptrdiff_t>(first_part);
    EXPECT_LE(*std::max_element(keys.begin(), middle), *std::min_element(middle, keys.end()))
        << code;
  }
}

TEST(Quicksort, HalvesKeysThatAreAllEqualOrAlreadySorted) {
  std::vector<key> equal(1000, 5);
  EXPECT_EQ(split(equal), 500u);
  std::vector<key> rising(1000);
  for (std::size_t i = 0; i < rising.size(); ++i) rising[i] = i;
  EXPECT_NEAR(static_cast<double>(split(rising)), 500, 1);
}

TEST(Quicksort, ForksAboveTheGrainAlone) {
  workload::input below = prepared({{"keys", "4096"}, {"grain", "4096"}});
  EXPECT_EQ(workload::run(serial::worker{}, below).forks, 0u);
  workload::input above = prepared({{"keys", "4097"}, {"grain", "4096"}});
  EXPECT_EQ(workload::run(serial::worker{}, above).forks, 1u);
}

TEST(Quicksort, NoticesALostKeyAmongSortedOnes) {
  workload::input in = prepared({{"keys", "1000"}});
  const workload::output out = workload::run(serial::worker{}, in);
  EXPECT_EQ(workload::verify(in, out), true);
  in.keys[500] = in.keys[501];
  EXPECT_EQ(workload::answer(in, out)["sorted"], true);
  EXPECT_EQ(workload::verify(in, out), false);
}

}  // namespace
}  // namespace stealbench::quicksort
