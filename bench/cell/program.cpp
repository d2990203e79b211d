#include "bench/cell/program.hpp"

#include <algorithm>
#include <stdexcept>

namespace stealbench::cell {
namespace {

// Inside a function, because it is used before main.
std::vector<strategy>& registry() {
  static std::vector<strategy> all;
  return all;
}

}  // namespace

bool register_strategy(const strategy& added) {
  registry().push_back(added);
  return true;
}

const std::vector<strategy>& strategies() { return registry(); }

const strategy& strategy_of(const schedulers::variant& chosen) {
  const std::vector<strategy>& all = strategies();
  const auto found = std::find_if(all.begin(), all.end(), [&](const strategy& each) {
    return each.deque.empty() || each.deque == chosen.value_of("deque");
  });
  if (found == all.end()) {
    throw std::logic_error("not linked here: deque=" + std::string(chosen.value_of("deque")));
  }
  return *found;
}

std::string_view scheduler_name() { return strategies().front().scheduler; }

}  // namespace stealbench::cell
