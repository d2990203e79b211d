#include "bench/compare/session.hpp"

#include <algorithm>
#include <iostream>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "bench/compare/comparison.hpp"
#include "bench/compare/host.hpp"
#include "bench/compare/process.hpp"

namespace stealbench::compare {
namespace {

unsigned most_workers(const plan& what) {
  unsigned most = 1;
  for (const cell& each : what.cells) most = std::max(most, each.workers);
  return most;
}

std::string text_of(const stopping_rule& until) {
  if (until.rounds) {
    return fmt::format("{} round{}", *until.rounds, *until.rounds == 1 ? "" : "s");
  }
  return fmt::format("rounds until all medians are known to ± {:g} % or {} s are spent",
                     100 * until.target, until.budget.count());
}

}  // namespace

std::string remains_of(const record& kept, const std::string& command_to_go_on) {
  if (!kept.is_saved()) return "Nothing was measured.\n";
  const std::string file = kept.json_file().string();
  if (command_to_go_on.empty()) return fmt::format("What was measured is in {}.\n", file);
  return fmt::format("What was measured is in {}; this goes on with it:\n  {}\n", file,
                     command_to_go_on);
}

std::vector<cell_result> measure_all(plan what, record& kept, const std::string& command_to_go_on) {
  std::cerr << fmt::format("{} cells, {}, seed {}\n", what.cells.size(), text_of(what.until),
                           what.seed);
  std::vector<host_check> checks = checks_before(most_workers(what));
  kept.describe("host_checks", json_of(checks));
  kept.describe("energy", energy_of());
  const auto processors_before = processor_time_of();
  try {
    comparison under_way(std::move(what), kept);
    std::cerr << text_of(checks);
    under_way.run();
    checks.push_back(steal_time_between(processors_before, processor_time_of()));
    kept.describe("host_checks", json_of(checks));
    return under_way.results();
  } catch (const interrupted&) {
    std::cerr << "Interrupted. " << remains_of(kept, command_to_go_on);
    throw;
  } catch (const std::system_error&) {
    std::cerr << remains_of(kept, command_to_go_on);
    throw;
  }
}

int status_of(const std::vector<cell_result>& results) {
  const auto failed = std::count_if(results.begin(), results.end(),
                                    [](const cell_result& each) { return !each.failure.empty(); });
  if (failed == 0) return 0;
  std::cout.flush();
  std::cerr << fmt::format("stealbench: {} of {} cells did not finish\n", failed, results.size());
  return 1;
}

}  // namespace stealbench::compare
