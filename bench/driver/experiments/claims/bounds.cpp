// The bounds of greedy scheduling and of work stealing on time, and what limits the parallelism of
// a program.
#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include <fmt/format.h>

#include "bench/driver/experiments/claims/claims.hpp"
#include "results/analysis/validation.hpp"
#include "results/report/format.hpp"
#include "results/sections/parts.hpp"

namespace stealbench::experiments::claims {
namespace {

using report::count;
using report::ratio_with_interval;

double span_share(const reader& read, const instance& what) {
  return read.recorded(what, "span_units") / read.recorded(what, "work_units");
}

/// b of y = a · x^b through two points.
double exponent(double x, double y, double to_x, double to_y) {
  return std::log(to_y / y) / std::log(to_x / x);
}

/// Many small tasks: regular, and unbalanced.
const std::vector<instance>& trees() {
  static const std::vector<instance> all{program("fib", {"n=35"}), program("uts", {"tree=T1"})};
  return all;
}
/// Where only work takes time, thieves look so often that small ones take as long to simulate.
const std::vector<instance>& small_trees() {
  static const std::vector<instance> all{program("fib", {"n=27"}),
                                         program("uts", {"shape=fixed", "depth=7", "seed=19"})};
  return all;
}
const std::vector<unsigned> scaled{1, 4, 16, 64, 256, 1024};

// In the model, busy leaves are a greedy schedule.
claim greedy_bound() {
  const std::vector<instance> programs{
      program("fib", {"n=16"}), program("uts", {"shape=fixed", "depth=6", "seed=19"}),
      program("uts", {"type=bin", "b0=20", "q=0.124875", "m=8", "seed=42"})};
  const std::vector<unsigned> workers{1, 2, 8, 64, 512};
  return {
      .number = 1,
      .text = "A greedy schedule takes at most T1/P + T∞",
      .source = "Graham 1966; Brent 1974",
      .figure = "greatest T_P ÷ (T1/P + T∞) (at most 1)",
      .cells = grid(programs, {"busy-leaves"}, workers),
      .rule =
          [=](const evidence& known) {
            const auto greatest = [&](const std::vector<instance>& of_these) {
              return known.of([&](const reader& read) {
                double most = 0;
                for (const instance& each : of_these) {
                  const double t1 = read(each, "busy-leaves", 1);
                  const double span = t1 * span_share(read, each);
                  for (const unsigned p : workers) {
                    most = std::max(most, read(each, "busy-leaves", p) / (t1 / p + span));
                  }
                }
                return most;
              });
            };
            const figures all = greatest(programs);
            const instance worst = *std::ranges::max_element(
                programs, {}, [&](const instance& each) { return hull(greatest({each})).median; });
            const figures work =
                known.of([&](const reader& read) { return read(worst, "busy-leaves", 1); });
            return finding{
                hull(all), decide(all, {.most = 1}),
                fmt::format("With 1 to {} workers busy-leaves takes {} of the bound at most, on "
                            "{}, of which T1 is {}.",
                            workers.back(), ratio_with_interval(hull(all)), label_of(worst),
                            report::seconds(hull(work).median))};
          },
      .recorded = programs};
}

/// P · T_P = T1 + c · P · T∞: a line over P · T∞.
line stealing_law(const reader& read, const instance& what) {
  const double span = read(what, work_stealing, 1) * span_share(read, what);
  std::vector<std::pair<double, double>> points;
  points.reserve(scaled.size());
  for (const unsigned p : scaled) points.emplace_back(p * span, p * read(what, work_stealing, p));
  return line_through(points);
}

finding stealing_bound(const evidence& known, const std::vector<instance>& two) {
  const figures misfit = known.of([&](const reader& read) {
    return std::max(stealing_law(read, two[0]).misfit, stealing_law(read, two[1]).misfit);
  });
  const auto c = [&](const instance& tree) {
    const estimate slope =
        hull(known.of([&](const reader& read) { return stealing_law(read, tree).slope; }));
    const auto text = [](double value) {
      return value < 100 ? fmt::format("{:.3g}", value) : count(value);
    };
    return fmt::format("{} [{}, {}] on {}", text(slope.median), text(slope.around.low),
                       text(slope.around.high), label_of(tree));
  };
  return {hull(misfit), decide(misfit, {.most = model_error}),
          fmt::format("With 1 to {} workers the fitted c is {}, and {}; the times are within a "
                      "factor of {} of the fits, and the model's error is {}.",
                      scaled.back(), c(two[0]), c(two[1]), ratio_with_interval(hull(misfit)),
                      model_error)};
}

finding ample_parallelism(const evidence& known, const std::vector<instance>& two) {
  constexpr double ample = 10;
  constexpr double near_linear = ample / (1 + ample);  // That of a greedy schedule.
  const auto extreme = [](const std::vector<instance>& programs, const auto& value,
                          const auto& of_two) {
    return [=](const reader& read) {
      std::optional<double> found;
      for (const instance& each : programs) {
        for (const unsigned p : scaled) {
          if (p == 1 || 1 / span_share(read, each) < ample * p) continue;
          found = of_two(found.value_or(value(read, each, p)), value(read, each, p));
        }
      }
      return found.value();
    };
  };
  const auto least_speedup = [&](const std::vector<instance>& programs) {
    return known.of(extreme(
        programs,
        [](const reader& read, const instance& what, unsigned p) {
          return read(what, work_stealing, 1) / read(what, work_stealing, p) / p;
        },
        [](double one, double other) { return std::min(one, other); }));
  };
  const figures worst = least_speedup(two);
  const figures waiting = known.of(extreme(
      two,
      [](const reader& read, const instance& what, unsigned p) {
        return read(what, work_stealing, p, metric::lines_share);
      },
      [](double one, double other) { return std::max(one, other); }));
  const bool is_contended = hull(waiting).around.high > analysis::contended_above;
  const auto on = [&](const instance& each) {
    return fmt::format("{} of P on {}", ratio_with_interval(hull(least_speedup({each}))),
                       label_of(each));
  };
  return {hull(worst), decide(worst, {.least = near_linear}, is_contended ? model_error : 1),
          fmt::format("With {} times as much parallelism as workers, 4 to {}, the least speedup is "
                      "{} and {}; that of a greedy schedule is {:.2f} of P.",
                      ample, scaled.back(), on(two[0]), on(two[1]), near_linear)};
}

using rule_on_two = finding (*)(const evidence&, const std::vector<instance>&);

/// A theorem about the trees.
claim on_trees(unsigned number, const char* text, const char* source, const char* figure,
               rule_on_two rule) {
  const auto on = [&](const std::vector<instance>& two) {
    return [rule, two](const evidence& known) { return rule(known, two); };
  };
  std::vector<instance> all = trees();
  std::ranges::copy(small_trees(), std::back_inserter(all));
  return {number,
          text,
          source,
          figure,
          grid(trees(), {work_stealing}, scaled),
          on(trees()),
          all,
          theorem{grid(small_trees(), {work_stealing}, scaled, free_machine), on(small_trees())}};
}

claim attempts() {
  const instance small = program("empty_tree", {"depth=8", "work=1000"});
  const instance large = program("empty_tree", {"depth=16", "work=1000"});
  std::vector<cell> cells = grid({small, large}, {work_stealing}, {8});
  for (const cell& each : grid({trees()[1]}, {work_stealing}, {4, 64})) cells.push_back(each);
  return {.number = 3,
          .text = "Steal attempts grow as P · T∞, not with the work",
          .source = "Blumofe & Leiserson 1999",
          .figure = "exponent of the attempts over the nodes of a balanced tree (at most 0.5)",
          .cells = cells,
          .rule =
              [=](const evidence& known) {
                const auto tried = [](const reader& read, const instance& what, unsigned p) {
                  return 1 + read(what, work_stealing, p, metric::steal_attempts);
                };
                const auto growth = [&](const reader& read, double from, double to) {
                  return exponent(read.recorded(small, "work_units"), from,
                                  read.recorded(large, "work_units"), to);
                };
                // The ends of the ranges are as far off as the model may be.
                const auto over_nodes = [&](double error) {
                  return known.of([&, error](const reader& read) {
                    return growth(read, tried(read, small, 8), error * tried(read, large, 8));
                  });
                };
                const figures spans = known.of([&](const reader& read) {
                  return growth(read, read.recorded(small, "span_units"),
                                read.recorded(large, "span_units"));
                });
                const figures over_workers = known.of([&](const reader& read) {
                  return exponent(4, tried(read, trees()[1], 4), 64, tried(read, trees()[1], 64));
                });
                const double half_way = (1 + hull(spans).median) / 2;  // Between span and work.
                const verdict low = decide(over_nodes(1 / model_error), {.most = half_way});
                const verdict high = decide(over_nodes(model_error), {.most = half_way});
                return finding{
                    hull(over_nodes(1)), low == high ? low : verdict::undecided,
                    fmt::format(
                        "With 8 workers the attempts grow as the work to the power of {}, where "
                        "the span grows as that to the power of {:.2f}; on {} they grow as the "
                        "workers to the power of {}.",
                        number_with_interval(hull(over_nodes(1))), hull(spans).median,
                        label_of(trees()[1]), number_with_interval(hull(over_workers)))};
              },
          .recorded = {small, large}};
}

claim merges() {
  constexpr std::array<double, 2> bits{12, 20};
  const auto sort = [](double lg, const char* merge) {
    return program("mergesort",
                   {fmt::format("keys=2^{:.0f}", lg), "grain=64", std::string("merge=") + merge});
  };
  const std::vector<instance> largest{sort(bits[1], "serial"), sort(bits[1], "parallel")};
  return {.number = 10,
          .text =
              "A serial merge caps the parallelism of merge sort at Θ(log n); a parallel one gives "
              "Θ(n / log² n)",
          .source = "Cormen et al., section 27.3",
          .figure = "exponent of the parallelism over n / lg² n with parallel merges (0.5 to 1.5)",
          .cells = grid(largest, {work_stealing}, {1, 2}, real_machine),
          .rule =
              [=](const evidence& known) {
                const auto grown = [&](const char* merge, const auto& law) {
                  const std::array<instance, 2> sizes{sort(bits[0], merge), sort(bits[1], merge)};
                  return known.of([&](const reader& read) {
                    return exponent(law(bits[0]), read.recorded(sizes[0], "parallelism"),
                                    law(bits[1]), read.recorded(sizes[1], "parallelism"));
                  });
                };
                const figures serial = grown("serial", [](double lg) { return lg; });
                const figures parallel =
                    grown("parallel", [](double lg) { return std::exp2(lg) / lg / lg; });
                const auto speedup = [&](std::size_t which) {
                  return ratio_with_interval(hull(known.of([&](const reader& read) {
                    return read(largest[which], work_stealing, 1) /
                           read(largest[which], work_stealing, 2);
                  })));
                };
                constexpr bound near_one{.least = 0.5,
                                         .most = 1.5};  // Not the root, nor the square.
                return finding{
                    hull(parallel),
                    // The program is recorded at the costs of this machine alone.
                    of_theorem(verdict::undecided,
                               both(decide(serial, near_one), decide(parallel, near_one))),
                    fmt::format(
                        "From 2^{} to 2^{} keys the parallelism grows as lg n to the power of {} "
                        "with serial merges, and as n / lg² n to that of {} with parallel ones; 2 "
                        "workers are {} and {} as fast as one.",
                        bits[0], bits[1], number_with_interval(hull(serial)),
                        number_with_interval(hull(parallel)), speedup(0), speedup(1))};
              },
          .recorded = {sort(bits[0], "serial"), sort(bits[0], "parallel"), largest[0], largest[1]}};
}

claim uneven_blocks() {
  const instance blocks = program("skewed", {"body=blocks", "indices=2^12"});
  return {
      .number = 11,
      .text =
          "Of blocks of 100, 100, 200 and 350 ms on 4 workers, a static partition keeps "
          "the workers busy for 53 % of the time, stealing for 98 %",
      .source = "a runtime's manual",
      .figure = "busy part of the workers' time with stealing (0.93 to 1)",
      .cells = grid({blocks}, {"static-partition", work_stealing}, {4}),
      .rule = [=](const evidence& known) {
        const auto part = [&](const char* scheduler, metric which) {
          return known.of([&](const reader& read) { return read(blocks, scheduler, 4, which); });
        };
        const figures fixed = part("static-partition", metric::work_share);
        const figures stolen = part(work_stealing, metric::work_share);
        const auto near = [](double claimed) {
          return bound{.least = claimed - 0.05, .most = claimed + 0.05};
        };
        return finding{
            hull(stolen), both(decide(fixed, near(0.53)), decide(stolen, near(0.98))),
            fmt::format(
                "The workers are busy for {} of the time with a static partition, and "
                "for {} with stealing, where they wait for cache lines for {}.",
                sections::share_text(hull(fixed).median), sections::share_text(hull(stolen).median),
                sections::share_text(hull(part(work_stealing, metric::lines_share)).median))};
      }};
}

}  // namespace

std::vector<claim> claims_on_bounds() {
  const char* const authors = "Blumofe & Leiserson 1999";
  return {also_in_model(greedy_bound()),
          on_trees(2, "Randomised work stealing takes T1/P + c · T∞ in expectation", authors,
                   "greatest factor between a time and the fit (at most 2)", stealing_bound),
          also_in_model(attempts()), merges(), uneven_blocks(),
          // A corollary of the bounds.
          on_trees(22, "Parallelism of ten times P gives near-linear speedup", "lecture notes",
                   "least speedup ÷ P (at least 0.91)", ample_parallelism)};
}

}  // namespace stealbench::experiments::claims
