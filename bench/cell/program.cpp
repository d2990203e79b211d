#include "bench/cell/program.hpp"

#include <algorithm>

#include "bench/cell/once.hpp"
#include "schedulers/settings.hpp"

namespace stealbench::cell {
namespace {

// Inside a function, because it is used before main.
std::vector<strategy>& registry() {
  static std::vector<strategy> all;
  return all;
}

auto find(const schedulers::variant& chosen) {
  return std::ranges::find_if(registry(), [&](const strategy& each) {
    return each.deque.empty() || each.deque == chosen.value_of("deque");
  });
}

}  // namespace

bool register_strategy(const strategy& added) {
  registry().push_back(added);
  return true;
}

const std::vector<strategy>& strategies() { return registry(); }

bool is_linked(const schedulers::variant& chosen) { return find(chosen) != registry().end(); }

const strategy& strategy_of(const schedulers::variant& chosen) { return *find(chosen); }

std::vector<schedulers::setting> settings_of_scheduler() {
  return schedulers::settings_of(scheduler_name());
}

self_description describe() {
  const strategy& linked = strategies().front();
  self_description described{.scheduler = std::string(linked.scheduler),
                             .about = linked.describe(),
                             .library = linked.library(),
                             .settings = settings_of_scheduler(),
                             .counters = {}};
  if (linked.programs().front().counting != nullptr) described.counters = counter_names();
  return described;
}

std::string_view scheduler_name() { return strategies().front().scheduler; }

}  // namespace stealbench::cell
