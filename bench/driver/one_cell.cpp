#include "bench/driver/one_cell.hpp"

#include "bench/driver/rounds/installation.hpp"
#include "schedulers/options.hpp"

namespace stealbench::driver {

void declare_one_cell(CLI::App& command, one_cell& typed) {
  command.add_option("WORKLOAD", typed.workload, "A workload that `list` shows")->required();
  command
      .add_option("--scheduler", typed.scheduler,
                  "A scheduler that `list` shows, with settings as NAME:KEY=VALUE:KEY=VALUE")
      ->required();
  command.add_option("--workers", typed.workers, "Worker count")
      ->check(CLI::Range(1U, schedulers::max_workers))
      ->capture_default_str();
  command
      .add_option("--size", typed.size,
                  "test, small, standard or large; of several instances the first is run")
      ->capture_default_str();
  command.add_option("--set", typed.set, "A parameter, as KEY=VALUE; may be repeated")
      ->allow_extra_args(false);
}

rounds::target find_target(const one_cell& typed) {
  const workloads::description workload = rounds::find_workload(typed.workload);
  std::vector<workloads::assignment> by_user;
  for (const std::string& text : typed.set) by_user.push_back(workloads::parse_assignment(text));
  const rounds::runnable scheduler =
      rounds::installation::of_this_program().choose(typed.scheduler);
  return {.which = {.what = rounds::instances_of(workload, typed.size, by_user).front(),
                    .scheduler = scheduler.name,
                    .workers = typed.workers},
          .executable = scheduler.executable};
}

}  // namespace stealbench::driver
