// What the first line of an explained dataset says, for tests.
#pragma once

#include <cstdint>

#include "results/dataset/fixture.hpp"

namespace stealbench::experiments::explain {

/// A second of work with this span, half of it at each of two places; strands of `strand_ns`.
[[nodiscard]] inline dataset::json about(double span_ns, double burdened_span_ns,
                                         double strand_ns = 1e4) {
  const double work_ns = 1e9;
  return {{"burden_ns", 500.0},
          {"recorded",
           {{"workload", "fib"},
            {"scheduler", "serial.work-span"},
            {"parameters", {{"n", "20"}}},
            {"strands_by", "units"},
            {"fork_count", 10},
            {"work_ns", work_ns},
            {"span_ns", span_ns},
            {"work_units", 1000},
            {"span_units", 10},
            {"parallelism", work_ns / span_ns},
            {"burdened_span_ns", burdened_span_ns},
            {"burdened_parallelism", work_ns / burdened_span_ns},
            {"tasks", 1234567},
            {"strands", static_cast<std::uint64_t>(work_ns / strand_ns)},
            {"depth", 17},
            {"most_live_tasks", 19},
            {"strands_of_length", {0, 3, 0, 40}},
            {"interval_ns", 1e6},
            {"places",
             {{{"file", ""}, {"line", 0}, {"work_ns", 0.0}, {"span_ns", 0.0}},
              {{"file", "fib.hpp"}, {"line", 28}, {"work_ns", 9e8}, {"span_ns", span_ns / 4}},
              {{"file", "fib.hpp"}, {"line", 30}, {"work_ns", 1e8}, {"span_ns", span_ns * 3 / 4}}}},
            {"parallelism_over_time", {1.0, 4.0, 2.0}}}}};
}

}  // namespace stealbench::experiments::explain
