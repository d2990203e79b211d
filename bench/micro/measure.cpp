#include "bench/micro/measure.hpp"

namespace stealbench::costs::micro {
namespace {

bool& failure() {
  static bool happened = false;
  return happened;
}

}  // namespace

void fail(benchmark::State& state, const std::string& why) {
  failure() = true;
  state.SkipWithError(why.c_str());
}

bool any_failed() { return failure(); }

}  // namespace stealbench::costs::micro
