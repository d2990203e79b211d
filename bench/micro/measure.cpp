#include "bench/micro/measure.hpp"

namespace stealbench::bench::micro {
namespace {

bool& failure() {
  static bool happened = false;
  return happened;
}

}  // namespace

double clock_nanoseconds() {
  std::vector<double> reads;
  for (int i = 0; i < 1000; ++i) reads.push_back(nanoseconds_of([] {}));
  return results::median(reads);
}

void fail(benchmark::State& state, const std::string& why) {
  failure() = true;
  state.SkipWithError(why.c_str());
}

bool any_failed() { return failure(); }

}  // namespace stealbench::bench::micro
