// The sequential version of every workload, plain code which no scheduler runs, and the raw cost
// that bounds every figure. They have the command line of a scheduler, so that they are run and
// compared like one.
#include <cstdint>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "bench/cell/cell.hpp"
#include "bench/cell/program.hpp"
#include "bench/costs/figures.hpp"
#include "workloads/catalogue.hpp"

namespace stealbench::cell {
namespace {

template <class Workload>
class sequential_cell final : public workload_cell<Workload> {
 public:
  using workload_cell<Workload>::workload_cell;

  void execute() override { this->output.emplace(Workload::sequential(this->input)); }
  [[nodiscard]] std::uint64_t fork_count() const override { return 0; }
  [[nodiscard]] unsigned worker_count() const override { return 1; }
};

template <class Workload>
program program_of() {
  return {.description = Workload::describe(),
          .timed = [](const schedulers::options& /*options*/,
                      const kit::parameters& chosen) -> std::unique_ptr<cell> {
            return std::make_unique<sequential_cell<Workload>>(chosen);
          },
          .counting = nullptr};
}

std::vector<program> programs() {
  return std::apply([](auto... each) { return std::vector{program_of<decltype(each)>()...}; },
                    workloads::catalogue{});
}

[[maybe_unused]] const bool is_registered =
    register_strategy({.scheduler = sequential_name,
                       .describe =
                           [] {
                             return schedulers::description{
                                 .group = schedulers::group::baseline,
                                 .summary =
                                     "each workload's sequential version, which knows of no "
                                     "scheduler; measured only if named"};
                           },
                       .deque = {},
                       .programs = &programs,
                       .library = [] { return std::string("none"); },
                       .measure = &costs::measure_raw});

}  // namespace
}  // namespace stealbench::cell
