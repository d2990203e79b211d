// One strategy against others.
#include <algorithm>

#include <fmt/format.h>

#include "bench/driver/experiments/claims/claims.hpp"
#include "results/report/format.hpp"

namespace stealbench::experiments::claims {
namespace {

using report::count;

/// A claim that one strategy needs less than its rivals.
claim contested(unsigned number, const char* text, const char* source, const char* figure,
                const contest& what) {
  std::vector<std::string> strategies = what.rivals;
  strategies.push_back(what.claimed);
  return {.number = number,
          .text = text,
          .source = source,
          .figure = figure,
          .cells = grid(what.programs, strategies, what.workers, what.machine),
          .rule = [what](const evidence& known) { return judge(what, known); }};
}

claim few_large_steals() {
  const instance tree = program("empty_tree", {"depth=16", "work=100"});
  return {.number = 16,
          .text =
              "Where owners take the newest task and thieves the oldest, a stolen task is "
              "large and steals are few",
          .source = "lecture notes",
          .figure = "tasks for each steal ÷ depth of the tree (at least 1)",
          .cells = grid({tree}, {work_stealing}, {64}),
          .rule =
              [=](const evidence& known) {
                // Below a random task there are as many tasks as it is deep, on average: the sum of
                // the sizes of all subtrees is that of all depths.
                const figures size = known.of([&](const reader& read) {
                  return read(tree, work_stealing, 64, metric::fork_count) /
                         (1 + read(tree, work_stealing, 64, metric::tasks_moved)) /
                         read.recorded(tree, "depth");
                });
                return finding{
                    hull(size), decide(size, {.least = 1}, model_error),
                    fmt::format("With 64 workers there are {} times as many tasks for each "
                                "steal as below a random task of the tree.",
                                count(hull(size).median))};
              },
          .recorded = {tree}};
}

claim lazy_splitting(const instance& loop) {
  constexpr const char* eager = "work-stealing:split=eager";
  return {.number = 21,
          .text = "Lazy splitting makes tasks only when some worker is hungry",
          .source = "Tzannes et al. 2010",
          .figure = "tasks made by eager splitting ÷ by lazy splitting (at least 1)",
          .cells = grid({loop}, {work_stealing, eager}, {1, 64}),
          .rule = [loop](const evidence& known) {
            const auto made = [&](const char* scheduler, unsigned workers) {
              return [=, &loop](const reader& read) {
                return read.counter(loop, scheduler, workers, "jobs_spawned");
              };
            };
            const figures fewer = known.of([&](const reader& read) {
              return std::min(made(eager, 1)(read) / (1 + made(work_stealing, 1)(read)),
                              made(eager, 64)(read) / (1 + made(work_stealing, 64)(read)));
            });
            const auto tasks = [&](const char* scheduler, unsigned workers) {
              return count(hull(known.of(made(scheduler, workers))).median);
            };
            return finding{hull(fewer), decide(fewer, {.least = 1}, model_error),
                           fmt::format("Of a loop of 4,096 indices eager splitting makes {} tasks "
                                       "with one worker and {} with 64; lazy splitting makes {} "
                                       "and {}.",
                                       tasks(eager, 1), tasks(eager, 64), tasks(work_stealing, 1),
                                       tasks(work_stealing, 64))};
          }};
}

}  // namespace

std::vector<claim> claims_on_strategies() {
  // What differs in how work is found: a regular and an unbalanced tree, producers, and a loop.
  const instance fib = program("fib", {"n=27"});
  const instance uts = program("uts", {"shape=fixed", "depth=7", "seed=19"});
  const instance bpc = program("bpc", {"depth=200"});
  const instance spc = program("spc", {"tasks=2^11"});
  const instance loop = program("skewed", {"body=pareto", "indices=2^12"});
  const std::vector<instance> all{fib, uts, bpc, spc, loop};
  return {
      few_large_steals(),
      lazy_splitting(loop),
      contested(13, "Random victims beat the busiest one and a fixed one", "operating-systems text",
                "time of a rival ÷ that of random victims (above 1)",
                {"work-stealing:victim=random",
                 {"work-stealing:victim=busiest", "work-stealing:victim=first"},
                 all,
                 {64, 256}}),
      contested(14, "A central queue is a bottleneck", "operating-systems text",
                "time with a central queue ÷ that with stealing (above 1)",
                {work_stealing, {"central-queue"}, {fib, uts, loop}, {8, 64}}),
      contested(15, "Stealing moves fewer tasks than sharing", "Blumofe & Leiserson 1999",
                "tasks moved by sharing ÷ those by stealing (above 1)",
                {work_stealing, {"work-sharing"}, all, {8, 64}, metric::tasks_moved}),
      contested(17, "To steal half of a queue moves fewer tasks than to steal one",
                "Hendler & Shavit 2002", "tasks moved with one ÷ those with half (above 1)",
                {"work-stealing:deque=chase-lev:amount=half",
                 {"work-stealing:deque=chase-lev"},
                 {uts, bpc, spc},
                 {8, 64},
                 metric::tasks_moved}),
      contested(
          18,
          "About 2P retries before a worker sleeps, and a back-off by a factor of two, are right",
          "operating-systems text", "time of another choice ÷ that of these (above 1)",
          {"work-stealing:attempts=2p:backoff=exponential",
           {work_stealing},
           {program("fib", {"n=30"}), uts, program("bpc", {"depth=1000"}), spc},
           {2},
           metric::seconds,
           real_machine}),
      contested(20, "Localised stealing moves fewer tasks", "Suksompong et al. 2016",
                "tasks moved by random stealing ÷ those by localised stealing (above 1)",
                {"work-stealing:victim=own-first",
                 {"work-stealing:victim=random"},
                 all,
                 {8, 64},
                 metric::tasks_moved}),
      contested(23, "A worker that waits at a join should work", "lecture notes",
                "time if it only waits ÷ that if it works (above 1)",
                {work_stealing, {"work-stealing:join=wait"}, {fib, uts, bpc}, {8, 64}}),
      contested(25, "Block-based deques (BWoS) outrun deques of single jobs", "Wang et al. 2023",
                "time of another deque ÷ that of BWoS (above 1)",
                {"work-stealing:deque=bwos",
                 {work_stealing, "work-stealing:deque=chase-lev", "work-stealing:deque=abp"},
                 {program("fib", {"n=30"}), uts},
                 {1, 2},
                 metric::seconds,
                 real_machine})};
}

}  // namespace stealbench::experiments::claims
