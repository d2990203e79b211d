// The rest of it is compared with what an executable accepts: check_catalogue.py.
#include "bench/cell/catalogue.hpp"

#include <string>

#include <gtest/gtest.h>

namespace stealbench::cell {
namespace {

using nlohmann::ordered_json;

ordered_json grain_of(const std::string& name) {
  const ordered_json printed = catalogue();
  for (const ordered_json& each : printed["workloads"]) {
    if (each["name"] == name) return each["grain"];
  }
  return "no such workload";
}

TEST(Catalogue, SaysWhatTheGrainOfAWorkloadCountsAndWhereItsRangeEnds) {
  EXPECT_EQ(grain_of("bfs"), ordered_json::parse(R"({"parameter": "grain", "counts": "size",
      "least": 1, "most": 16384, "bounded_by": ""})"));
  EXPECT_EQ(grain_of("health")["counts"], "levels_of_a_piece");
  EXPECT_EQ(grain_of("nqueens"), ordered_json::parse(R"({"parameter": "cutoff",
      "counts": "levels_of_forks", "least": 0, "most": 18446744073709551615, "bounded_by": "n"})"));
  EXPECT_EQ(grain_of("fib"), nullptr);
}

}  // namespace
}  // namespace stealbench::cell
