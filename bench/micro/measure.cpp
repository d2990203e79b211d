#include "bench/micro/measure.hpp"

namespace stealbench::bench::micro {
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

}  // namespace stealbench::bench::micro
