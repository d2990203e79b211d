// Adaptive integration of x^3 + x: a fork at every bisection, and a little arithmetic between two.
#include <cmath>
#include <string>
#include <utility>

#include "bench/micro/measure.hpp"
#include "bench/micro/topics.hpp"

namespace stealbench::costs::micro {
namespace {

constexpr double epsilon = 1e-9;
constexpr double upper_end = 2500;
constexpr double integral = upper_end * upper_end * (upper_end * upper_end / 4 + 0.5);

constexpr double f(double x) { return (x * x + 1) * x; }

/// One interval, the function at its ends, and the trapezium under it.
struct piece {
  double x1;
  double y1;
  double x2;
  double y2;
  double area;
};

constexpr piece whole{0, f(0), upper_end, f(upper_end), (f(0) + f(upper_end)) / 2 * upper_end};

// What is said twice below is said twice on purpose: each version is what one would write, and no
// aggregate that both share ends up in a closure or a frame.

[[gnu::noinline]] double serial_integral(double x1, double y1, double x2, double y2, double area) {
  const double half = (x2 - x1) / 2;
  const double x = x1 + half;
  const double y = f(x);
  const double left = (y1 + y) / 2 * half;
  const double right = (y + y2) / 2 * half;
  if (std::abs(left + right - area) < epsilon) return left + right;
  return serial_integral(x1, y1, x, y, left) + serial_integral(x, y, x2, y2, right);
}

template <class Worker>
double forked_integral(Worker worker, double x1, double y1, double x2, double y2, double area) {
  const double half = (x2 - x1) / 2;
  const double x = x1 + half;
  const double y = f(x);
  const double left = (y1 + y) / 2 * half;
  const double right = (y + y2) / 2 * half;
  if (std::abs(left + right - area) < epsilon) return left + right;
  const auto [first, second] =
      worker->fork_join([=](Worker w) { return forked_integral(w, x1, y1, x, y, left); },
                        [=](Worker w) { return forked_integral(w, x, y, x2, y2, right); });
  return first + second;
}

/// The serial elision, which counts its forks.
struct counting_worker {
  const counting_worker* operator->() const { return this; }
  double* forks;

  template <class F, class G>
  std::pair<double, double> fork_join(const F& first, const G& second) const {
    ++*forks;
    return {first(*this), second(*this)};
  }
};

piece opaque_whole() {
  piece p = whole;
  benchmark::DoNotOptimize(p);
  return p;
}

bool is_right(double answer) { return std::abs(answer / integral - 1) < 1e-9; }

template <class Scheduler>
void measure(benchmark::State& state, unsigned workers) {
  Scheduler pool({.workers = workers, .pin = true});
  const piece all = opaque_whole();
  double forks = 0;
  forked_integral(counting_worker{&forks}, all.x1, all.y1, all.x2, all.y2, all.area);
  const medians found = in_turn(
      state,
      [&] {
        const piece p = opaque_whole();
        return is_right(pool.run(
            [&](auto worker) { return forked_integral(worker, p.x1, p.y1, p.x2, p.y2, p.area); }));
      },
      [] {
        const piece p = opaque_whole();
        return is_right(serial_integral(p.x1, p.y1, p.x2, p.y2, p.area));
      });
  state.counters["ns_per_fork"] = found.subject_ns * workers / forks;
  state.counters["serial_ns_per_bisection"] = found.reference_ns / forks;
  state.counters["ratio"] = found.subject_ns * workers / found.reference_ns;
}

}  // namespace

void add_integrate() {
  for_each_deque([]<class Scheduler>(const std::string& name) {
    for (const unsigned workers : {1U, 2U}) {
      add("integrate/" + name + "/workers:" + std::to_string(workers),
          [=](benchmark::State& state) { measure<Scheduler>(state, workers); });
    }
  });
}

}  // namespace stealbench::costs::micro
