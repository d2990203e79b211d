#include "bench/costs/registry.hpp"

namespace stealbench::costs {
namespace {

// Inside a function, because it is used before main.
std::vector<figure_maker>& registry() {
  static std::vector<figure_maker> all;
  return all;
}

}  // namespace

bool register_figures(const figure_maker& added) {
  registry().push_back(added);
  return true;
}

const std::vector<figure_maker>& figure_makers() { return registry(); }

}  // namespace stealbench::costs
