#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "bench/driver/commands.hpp"
#include "bench/driver/one_cell.hpp"
#include "bench/driver/rounds/cell_process.hpp"
#include "bench/driver/rounds/target.hpp"
#include "results/report/format.hpp"
#include "results/system/process.hpp"

namespace stealbench::driver {
namespace {

using nlohmann::ordered_json;

struct run_request {
  one_cell which;
  bool as_json = false;
};

/// A number, or the members of an object: `nodes 4130071, depth 10`. Of a list each in brackets.
// NOLINTNEXTLINE(misc-no-recursion): as deep as the answers and counters are nested, two levels.
std::string text_of(const ordered_json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_array()) {
    std::vector<std::string> elements;
    for (const ordered_json& each : value) elements.push_back(fmt::format("({})", text_of(each)));
    return fmt::format("{}", fmt::join(elements, " "));
  }
  if (!value.is_object()) return value.dump();
  std::vector<std::string> members;
  for (const auto& [key, member] : value.items()) {
    members.push_back(fmt::format("{} {}", key, text_of(member)));
  }
  return fmt::format("{}", fmt::join(members, ", "));
}

std::string check_of(const ordered_json& verified) {
  if (verified.is_null()) return "not checked: no answer is known for these parameters";
  return verified.get<bool>() ? "right" : "WRONG";
}

void print(const dataset::cell& which, const ordered_json& outcome) {
  std::cout << fmt::format("{} on {}, {} worker{}\n", label_of(which.what), which.scheduler,
                           which.workers, which.workers == 1 ? "" : "s");
  std::cout << fmt::format("  answer    {}\n", text_of(outcome["answer"]));
  std::cout << fmt::format("  check     {}\n", check_of(outcome["verified"]));
  std::cout << fmt::format("  time      {}\n",
                           report::seconds(outcome["time_ns"].get<double>() * 1e-9));
  const ordered_json& counters = outcome["counters"];
  std::cout << fmt::format("  counters  {}\n",
                           counters.is_null() ? "this scheduler has none" : text_of(counters));
}

int run(const run_request& asked) {
  const rounds::target subject = find_target(asked.which);
  system::process_runner runner;
  const rounds::single_run ran = run_once(subject, {}, runner);
  if (!ran.report.is_null()) {
    if (asked.as_json) {
      std::cout << ran.report.dump() << '\n';
    } else {
      print(subject.which, ran.report);
    }
  }
  if (ran.failure.empty()) return 0;
  std::cout.flush();
  std::cerr << fmt::format("stealbench: {}: {}\n", name_of(subject.which), ran.failure);
  return 1;
}

}  // namespace

void declare_run(CLI::App& program, int& status) {
  const auto asked = std::make_shared<run_request>();
  CLI::App* const command =
      program.add_subcommand("run", "Run a workload once: its answer, whether it checks, its time");
  declare_one_cell(*command, asked->which);
  command->add_flag("--json", asked->as_json, "As one JSON object");
  command->callback([asked, &status] { status = run(*asked); });
  command->footer(
      "Examples:\n"
      "  stealbench run uts --scheduler work-stealing --workers 2 --set tree=T3\n"
      "  stealbench run mergesort --scheduler onetbb --workers 2 --json");
}

}  // namespace stealbench::driver
