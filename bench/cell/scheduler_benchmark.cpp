// Every workload and every metric on one scheduler type, or in sequence: compiled once for each
// scheduler and for each variant that is a type of its own, or for the erased type of them all; and
// once more for each on the engine in simulated time, which has no metrics.
#include <string_view>
#include <tuple>

#include "bench/cell/program.hpp"
#include "bench/costs/figures.hpp"
#include "schedulers/description.hpp"
#include "schedulers/settings.hpp"
#include "workloads/catalogue.hpp"

#include STEALBENCH_SCHEDULER_HEADER
#ifdef STEALBENCH_SIMULATED
#include "schedulers/virtual_machine/machine.hpp"
#endif

#ifdef STEALBENCH_SCHEDULER_NAME
static_assert(
    stealbench::schedulers::scheduler<STEALBENCH_SCHEDULER>,
    "the type that stealbench_add_scheduler has does not satisfy schedulers/scheduler.hpp");
static_assert(STEALBENCH_SCHEDULER::name == std::string_view(STEALBENCH_SCHEDULER_NAME),
              "stealbench_add_scheduler has another name than the member `name` of its type");
#endif

namespace stealbench::cell {
namespace {

#ifdef STEALBENCH_SIMULATED
constexpr bool is_simulated = true;
// Its counters cost nothing in simulated time, and tell the machine who searches.
using scheduler = STEALBENCH_SCHEDULER_ON<virtual_machine::machine>::counting_variant;
#else
constexpr bool is_simulated = false;
using scheduler = STEALBENCH_SCHEDULER;
#endif

#ifdef STEALBENCH_FEW_WORKLOADS
// What `stealbench calibrate` takes the prices of a strategy from, and one that is refused.
using catalogue =
    std::tuple<empty_loop::workload, fib::workload, mergesort::workload, uts::workload>;
#else
using workloads::catalogue;
#endif

/// Null where nothing counts, which a scheduler whose type is erased says at run time.
template <class Scheduler, class Workload>
cell_maker counting_maker() {
  if constexpr (requires { Scheduler::counts; }) {
    if (!Scheduler::counts) return nullptr;
  }
  if constexpr (requires { typename Scheduler::counting_variant; }) {
    return &make_cell<cell_of<typename Scheduler::counting_variant, Workload>>;
  } else {
    return nullptr;
  }
}

template <class Scheduler>
auto measure_on() -> decltype(strategy::measure) {
  if constexpr (is_simulated) {
    return nullptr;
  } else if constexpr (requires { typename Scheduler::worker; }) {
    return &costs::measure_figure<Scheduler>;
  } else {
    return &costs::measure_raw;
  }
}

template <class Scheduler, class... Workloads>
strategy strategy_of(const std::tuple<Workloads...>& /*catalogue*/) {
  strategy linked{.self = {.scheduler = std::string(Scheduler::name),
                           .about = Scheduler::describe(),
                           .library = schedulers::library_of<Scheduler>(),
                           .settings = schedulers::settings_of(Scheduler::name),
                           .counters = {}},
                  .deque = schedulers::deque_of<Scheduler>(),
                  .programs = {{Workloads::describe(), &make_cell<cell_of<Scheduler, Workloads>>,
                                counting_maker<Scheduler, Workloads>()}...},
                  .measure = measure_on<Scheduler>()};
  if (linked.programs.front().counting != nullptr) {
    const nlohmann::ordered_json none_counted = json_of(schedulers::counters());
    for (const auto& each : none_counted.items()) linked.self.counters.push_back(each.key());
  }
  return linked;
}

}  // namespace

const strategy& linked_strategy() {
  static const strategy linked = strategy_of<scheduler>(catalogue());
  return linked;
}

}  // namespace stealbench::cell
