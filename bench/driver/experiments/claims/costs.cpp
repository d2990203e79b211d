// What tasks cost, how long they should be, and what fewer processors than workers cost: measured.
#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include <fmt/format.h>

#include "bench/driver/experiments/claims/claims.hpp"
#include "results/report/format.hpp"

namespace stealbench::experiments::claims {
namespace {

using report::ratio_with_interval;
using report::seconds;

// A sum by divide and conquer, of numbers that a cache holds: memory would be another price.
constexpr double numbers = 1 << 16;
constexpr double passes = 512;
constexpr std::array<double, 5> grains{1 << 6, 1 << 8, 1 << 10, 1 << 12, 1 << 14};

const std::vector<instance>& sums() {
  static const std::vector<instance> all = [] {
    std::vector<instance> found;
    found.reserve(grains.size());
    for (const double grain : grains) {
      found.push_back(program(
          "reduce", {fmt::format("numbers={:.0f}", numbers), fmt::format("passes={:.0f}", passes),
                     fmt::format("grain={:.0f}", grain)}));
    }
    return found;
  }();
  return all;
}

// Balanced trees of the same work, with leaves of some ns to one ms.
const std::vector<instance>& divided() {
  static const std::vector<instance> all = [] {
    std::vector<instance> found;
    for (unsigned depth = 7; depth <= 23; depth += 2) {
      found.push_back(program("empty_tree", {fmt::format("depth={}", depth),
                                             fmt::format("work={}", 1U << (27 - depth))}));
    }
    return found;
  }();
  return all;
}
constexpr std::array swept{work_stealing, "onetbb"};

finding price_of_a_task(const evidence& known) {
  constexpr double linear = 1.1;
  const auto fit = [](const reader& read) {
    std::vector<std::pair<double, double>> points;
    for (const instance& each : sums()) {
      points.emplace_back(read(each, work_stealing, 1, metric::fork_count),
                          read(each, work_stealing, 1));
    }
    return line_through(points);
  };
  const figures misfit = known.of([&](const reader& read) { return fit(read).misfit; });
  const figures price = known.of([&](const reader& read) { return fit(read).slope; });
  const figures tasks = known.of([](const reader& read) {
    double most = 1;
    for (std::size_t i = 0; i < grains.size(); ++i) {
      const double share =
          read(sums()[i], work_stealing, 1, metric::fork_count) * grains.at(i) / numbers / passes;
      most = std::max({most, share, 1 / share});
    }
    return most;
  });
  const figures fork = known.of([](const reader& read) {
    return read({"fork", {}}, work_stealing, 1);
  });
  return {
      hull(misfit),
      both(decide(price, {.least = 0}),
           both(decide(misfit, {.most = linear}), decide(tasks, {.most = model_error}))),
      fmt::format("The tasks are n/g within a factor of {}. One costs {}, an empty fork {}. The "
                  "times are within a factor of {} of a line over the tasks.",
                  ratio_with_interval(hull(tasks)), report::seconds_with_interval(hull(price)),
                  seconds(hull(fork).median), ratio_with_interval(hull(misfit)))};
}

constexpr double good = 0.95;

/// Of serial: a processor begins a short leaf before it has ended the one before.
double speedup(const reader& read, const instance& what, const char* scheduler) {
  return read(what, "serial", 1) / read(what, scheduler, 2);
}

/// Leaves of one length with 2 workers.
struct row {
  double leaf_seconds;
  figures speed;  ///< The speedup, over that with the best length.
};

std::vector<row> rows_of(const evidence& known, const char* scheduler) {
  std::vector<row> rows;
  for (const instance& each : divided()) {
    const double leaves = std::exp2(dataset::number_of(each, "depth").value());
    const figures time = known.of([&](const reader& read) { return read(each, "serial", 1); });
    rows.push_back({hull(time).median / leaves, known.of([&](const reader& read) {
                      double best = 0;
                      for (const instance& other : divided()) {
                        best = std::max(best, speedup(read, other, scheduler));
                      }
                      return speedup(read, each, scheduler) / best;
                    })});
  }
  return rows;
}

std::vector<cell> sweep(const std::vector<std::string>& schedulers) {
  std::vector<cell> cells = grid(divided(), {"serial"}, {1}, real_machine);
  std::ranges::move(grid(divided(), schedulers, {2}, real_machine), std::back_inserter(cells));
  return cells;
}

/// The leaves that are within 5 % of the best, `20.1 ns to 1.30 ms`.
std::string good_leaves(std::vector<row> rows) {
  std::erase_if(rows, [](const row& each) { return hull(each.speed).median < good; });
  const auto [least, most] = std::ranges::minmax(rows, {}, &row::leaf_seconds);
  return fmt::format("{} to {}", seconds(least.leaf_seconds), seconds(most.leaf_seconds));
}

finding on_leaves(std::vector<row> rows, double from, double to, bool are_good,
                  const std::string& others) {
  std::erase_if(
      rows, [&](const row& each) { return each.leaf_seconds < from || each.leaf_seconds > to; });
  if (rows.empty()) {
    return {
        {}, verdict::undecided, fmt::format("No leaf took {} to {}.", seconds(from), seconds(to))};
  }
  const auto speed = [](const row& each) { return hull(each.speed).median; };
  const row worst =
      are_good ? std::ranges::min(rows, {}, speed) : std::ranges::max(rows, {}, speed);
  return {hull(worst.speed),
          decide(worst.speed, are_good ? bound{.least = good} : bound{.most = good}),
          fmt::format("Leaves of {} have {} of the best speedup; within 5 % of it are {}.",
                      seconds(worst.leaf_seconds), ratio_with_interval(hull(worst.speed)), others)};
}

finding flat_optimum(const evidence& known) {
  const std::vector<row> rows = rows_of(known, work_stealing);
  return on_leaves(rows, 5e-6, 500e-6, true, "those of " + good_leaves(rows));
}

finding too_fine(const evidence& known) {
  std::vector<row> all;
  std::string ranges;
  for (const char* const scheduler : swept) {
    std::vector<row> rows = rows_of(known, scheduler);
    ranges += fmt::format("{}those of {} with {}", ranges.empty() ? "" : ", and ",
                          good_leaves(rows), scheduler);
    std::ranges::move(rows, std::back_inserter(all));
  }
  return on_leaves(all, 0, 1e-6, false, ranges);
}

/// What is claimed at most; of a wake-up in µs, for none takes nanoseconds.
struct operation {
  const char* name;
  const char* metric;  ///< Of `stealbench micro`.
  unsigned workers;
  double most_seconds;
};
constexpr std::array operations{operation{"fork and join", "fork", 1, 11e-9},
                                operation{"steal", "steal", 2, 50e-9},
                                operation{"wake-up", "wake", 2, 10e-6}};

finding prices(const evidence& known) {
  finding found{{}, verdict::holds, "Measured, and claimed at most:"};
  for (const operation& each : operations) {
    const auto over = [&](double unit) {
      return known.of([&, unit](const reader& read) {
        return read({each.metric, {}}, work_stealing, each.workers) / unit;
      });
    };
    const figures part = over(each.most_seconds);
    found.verdict = both(found.verdict, decide(part, {.most = 1}));
    if (!found.figure || hull(part).median > found.figure->median) found.figure = hull(part);
    found.because +=
        fmt::format(" {} {} ({});", each.name, report::seconds_with_interval(hull(over(1))),
                    seconds(each.most_seconds));
  }
  found.because.back() = '.';
  return found;
}

constexpr unsigned many = 16;
constexpr const char* non_blocking = "work-stealing:deque=chase-lev:idle=yield";
constexpr const char* locked = "work-stealing:deque=locked:idle=yield";
const instance& shared() {
  static const instance what = program("uts", {"shape=fixed", "depth=9", "seed=19"});
  return what;
}

finding fewer_processors(const evidence& known) {
  constexpr double kept = 2;
  if (known.processors >= many) {
    return {{},
            verdict::undecided,
            fmt::format("A verdict needs fewer processors than the {} workers, and there are {}.",
                        many, known.processors)};
  }
  const auto over_bound = [&](const char* scheduler) {
    return known.of([&](const reader& read) {
      const double t1 = read(shared(), scheduler, 1);
      const double span =
          t1 * read.recorded(shared(), "span_units") / read.recorded(shared(), "work_units");
      return read(shared(), scheduler, many) * known.processors / (t1 + span * many);
    });
  };
  const figures without = over_bound(non_blocking);
  const figures with = over_bound(locked);
  // The bound of non-blocking deques is a theorem; that locks do not keep it is an observation.
  const verdict bounded = of_theorem(verdict::undecided, decide(without, {.most = kept}));
  return {hull(with), both(bounded, decide(with, {.least = kept})),
          fmt::format("{} workers on {} processors take {} of T1/P_A + T∞ · P/P_A with a "
                      "non-blocking deque, of which the theorem speaks, and {} with locks.",
                      many, known.processors, ratio_with_interval(hull(without)),
                      ratio_with_interval(hull(with)))};
}

constexpr const char* heartbeat = "work-stealing:expose=heartbeat";
constexpr double beat_seconds = 30e-6;
constexpr const char* fast_heartbeat = "work-stealing:expose=heartbeat:beat=30us";
constexpr const char* fenced = "work-stealing:deque=chase-lev";
const std::vector<instance>& forking() {
  static const std::vector<instance> all{program("fib", {"n=30"}),
                                         program("empty_tree", {"depth=20"}), sums()[0], sums()[4]};
  return all;
}

finding bounded_overhead(const evidence& known) {
  constexpr double constant = 2;
  const auto overhead = [&](const std::vector<instance>& programs, const char* scheduler) {
    return known.of([&](const reader& read) {
      double most = 0;
      for (const instance& each : programs) {
        most = std::max(most, read(each, scheduler, 1) / read(each, "serial", 1));
      }
      return most;
    });
  };
  const figures beats = overhead(forking(), heartbeat);
  const instance worst = *std::ranges::max_element(forking(), {}, [&](const instance& each) {
    return hull(overhead({each}, heartbeat)).median;
  });
  return {hull(beats), decide(beats, {.most = constant}),
          fmt::format("One worker takes at most {} of the serial time with heartbeats, on {}, {} "
                      "with the split deque, and {} with a fence at each fork.",
                      ratio_with_interval(hull(beats)), label_of(worst),
                      ratio_with_interval(hull(overhead(forking(), work_stealing))),
                      ratio_with_interval(hull(overhead(forking(), fenced))))};
}

/// A fork costs nothing there, and each task that is made a constant: so the theorem is that tasks
/// are made no more often than the heart beats.
theorem tasks_at_beats() {
  // Leaves of one unit, of 100 and of 10,000.
  const std::vector<instance> trees{program("fib", {"n=27"}),
                                    program("empty_tree", {"depth=14", "work=100"}),
                                    program("empty_tree", {"depth=8", "work=10000"})};
  return {grid(trees, {fast_heartbeat}, {1}, free_machine),
          [=](const evidence& known) {
            const figures made = known.of([&](const reader& read) {
              double most = 0;
              for (const instance& each : trees) {
                most = std::max(most, read.counter(each, fast_heartbeat, 1, "jobs_exposed") *
                                          beat_seconds / read(each, fast_heartbeat, 1));
              }
              return most;
            });
            return finding{hull(made), decide(made, {.most = 1}),
                           fmt::format("One worker makes at most {} as many tasks as the heart "
                                       "beats, with leaves of 1 to 10,000 units of work.",
                                       ratio_with_interval(hull(made)))};
          },
          "tasks made ÷ beats of the heart (at most 1)"};
}

std::vector<cell> priced(const std::vector<operation>& some, std::vector<cell> more = {}) {
  for (const operation& each : some)
    more.push_back({{each.metric, {}}, work_stealing, each.workers});
  return more;
}

}  // namespace

std::vector<claim> claims_on_costs() {
  const char* const lecture = "lecture notes";
  const char* const systems = "operating-systems text";
  return {
      {7, "A grain g makes about n/g tasks and costs τ · n/g", lecture,
       "greatest factor between a time and the line over the tasks (at most 1.1)",
       priced({operations[0]}, grid(sums(), {work_stealing}, {1}, real_machine)), price_of_a_task},
      {8, "The optimum is flat: good leaves take some to some hundred µs", lecture,
       "least speedup with such leaves over the best (at least 0.95)", sweep({work_stealing}),
       flat_optimum},
      {9, "A task below 1 µs is too fine", systems,
       "greatest speedup with leaves below 1 µs over the best (at most 0.95)",
       sweep({swept.begin(), swept.end()}), too_fine},
      {12, "A fork takes about 1 ns, a join 1 to 10, a steal 5 to 50, a wake-up 5 to 10 µs",
       "a runtime's manual", "greatest time ÷ what is claimed at most (at most 1)",
       priced({operations.begin(), operations.end()}), prices},
      {19,
       "With fewer processors than workers, non-blocking deques and a yield keep T1/P_A + O(T∞ "
       "· P/P_A), and locks do not",
       "Arora et al. 1998",
       "time ÷ bound with locks (at least 2)",
       grid({shared()}, {non_blocking, locked}, {1, many}, real_machine),
       fewer_processors,
       {shared()}},
      {24,
       "Heartbeats bound the cost of parallelism for any grain",
       "Acar et al. 2018; Rainey et al. 2021",
       "greatest T1 ÷ serial time with heartbeats (at most 2)",
       grid(forking(), {"serial", heartbeat, work_stealing, fenced}, {1}, real_machine),
       bounded_overhead,
       {},
       tasks_at_beats()}};
}

}  // namespace stealbench::experiments::claims
