#include "bench/compare/one_cell.hpp"

#include <utility>

#include "bench/compare/names.hpp"

namespace stealbench::compare {

void declare_one_cell(CLI::App& command, one_cell& typed) {
  command.add_option("WORKLOAD", typed.workload, "A workload that `list` shows")->required();
  command
      .add_option("--scheduler", typed.scheduler,
                  "A scheduler that `list` shows, with settings as NAME:KEY=VALUE:KEY=VALUE")
      ->required();
  command.add_option("--workers", typed.workers, "Number of workers")->capture_default_str();
  command
      .add_option("--size", typed.size,
                  "test, small, standard or large; of several instances the first is run")
      ->capture_default_str();
  command.add_option("--set", typed.set, "A parameter, as KEY=VALUE; may be repeated")
      ->allow_extra_args(false);
}

cell find_cell(const one_cell& typed) {
  const workloads::description of = find_workload(typed.workload);
  std::vector<workloads::assignment> by_user;
  for (const std::string& text : typed.set) by_user.push_back(workloads::parse_assignment(text));
  runnable scheduler = installation::of_this_program().choose(typed.scheduler);
  return {.scheduler = std::move(scheduler.name),
          .executable = std::move(scheduler.executable),
          .what = instances_of(of, typed.size, by_user).front(),
          .workers = parse_workers(typed.workers)};
}

}  // namespace stealbench::compare
