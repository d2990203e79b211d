#include <gtest/gtest.h>

#include "bench/driver/experiments/grain/grain.hpp"
#include "bench/driver/rounds/installation.hpp"

namespace stealbench::experiments::grain {
namespace {

using grain_list = std::vector<std::uint64_t>;

grain_list grains_at(const char* workload, const std::vector<kit::assignment>& set) {
  const kit::description described = rounds::find_workload(workload);
  return grains_of(described, {described, set});
}

TEST(Grains, GoInStepsOfAFactorUpToOnePieceOfTheWhole) {
  EXPECT_EQ(grains_at("mergesort", {{"keys", "100"}, {"grain", "16"}}),
            (grain_list{16, 32, 64, 100}));
  EXPECT_EQ(grains_at("mergesort", {{"keys", "2^17"}}),
            (grain_list{16, 64, 256, 1024, 4096, 16384, 65536, 1 << 17}))
      << "by 4 where there are many";
  EXPECT_EQ(grains_at("mergesort", {{"keys", "2^14"}, {"grain", "16"}}),
            (grain_list{16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384}))
      << "ten steps are not many";
}

TEST(Grains, HoldTheOneThatTheWorkloadHasAnyway) {
  EXPECT_EQ(grains_at("mergesort", {{"keys", "100"}, {"grain", "50"}}),
            (grain_list{16, 32, 50, 64, 100}));
}

TEST(Grains, AreAllLevelsOfACutOff) {
  EXPECT_EQ(grains_at("nqueens", {{"n", "5"}}), (grain_list{0, 1, 2, 3, 4, 5}));
}

TEST(Grains, AreInsideTheirDomainWhereTheInputIsTiny) {
  EXPECT_EQ(grains_at("mergesort", {{"keys", "0"}}), (grain_list{2}));
}

}  // namespace
}  // namespace stealbench::experiments::grain
