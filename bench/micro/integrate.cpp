// Adaptive integration of x^3 + x: a fork at every bisection, and a little arithmetic between two.
#include <cmath>
#include <string>

#include "bench/micro/measure.hpp"
#include "bench/micro/topics.hpp"

namespace stealbench::bench::micro {
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

/// What both versions do at a bisection. The halves' areas are exact enough if their sum is.
struct bisection {
  explicit bisection(double x1, double y1, double x2, double y2, double area) {
    const double half = (x2 - x1) / 2;
    middle = x1 + half;
    y = f(middle);
    left = (y1 + y) / 2 * half;
    right = (y + y2) / 2 * half;
    fine = std::abs(left + right - area) < epsilon;
  }
  double middle;
  double y;
  double left;
  double right;
  bool fine;
};

[[gnu::noinline]] double serial_integral(double x1, double y1, double x2, double y2, double area) {
  const bisection cut(x1, y1, x2, y2, area);
  if (cut.fine) return cut.left + cut.right;
  return serial_integral(x1, y1, cut.middle, cut.y, cut.left) +
         serial_integral(cut.middle, cut.y, x2, y2, cut.right);
}

template <class Worker>
double forked_integral(Worker worker, double x1, double y1, double x2, double y2, double area) {
  const bisection cut(x1, y1, x2, y2, area);
  if (cut.fine) return cut.left + cut.right;
  const auto [left, right] = worker->fork_join(
      [=](Worker w) { return forked_integral(w, x1, y1, cut.middle, cut.y, cut.left); },
      [=, x = cut.middle, y = cut.y, part = cut.right](Worker w) {
        return forked_integral(w, x, y, x2, y2, part);
      });
  return left + right;
}

double count_forks(double x1, double y1, double x2, double y2, double area) {
  const bisection cut(x1, y1, x2, y2, area);
  if (cut.fine) return 0;
  return 1 + count_forks(x1, y1, cut.middle, cut.y, cut.left) +
         count_forks(cut.middle, cut.y, x2, y2, cut.right);
}

piece opaque_whole() {
  piece p = whole;
  benchmark::DoNotOptimize(p);
  return p;
}

bool right(double answer) { return std::abs(answer / integral - 1) < 1e-9; }

template <class Scheduler>
void measure(benchmark::State& state, unsigned workers) {
  Scheduler pool({.workers = workers, .pin = true});
  const piece all = opaque_whole();
  const double forks = count_forks(all.x1, all.y1, all.x2, all.y2, all.area);
  const medians found = in_turn(
      state,
      [&] {
        const piece p = opaque_whole();
        return right(pool.run(
            [&](auto worker) { return forked_integral(worker, p.x1, p.y1, p.x2, p.y2, p.area); }));
      },
      [] {
        const piece p = opaque_whole();
        return right(serial_integral(p.x1, p.y1, p.x2, p.y2, p.area));
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

}  // namespace stealbench::bench::micro
