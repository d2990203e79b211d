#include "schedulers/engine/settings.hpp"

namespace stealbench::engine {

using schedulers::each_requires;
using schedulers::options;
using schedulers::row;
using schedulers::row_of;

row idle_row() {
  using schedulers::idle_policy;
  return row_of("idle", "what a worker without work does", &options::idle,
                {{"park", idle_policy::park, {.summary = "spins, yields, then sleeps"}},
                 {"yield", idle_policy::yield_thread, {.summary = "spins, then yields, for ever"}},
                 {"spin", idle_policy::spin, {.summary = "looks for work for ever"}}});
}

row attempts_row() {
  using schedulers::attempt_limit;
  return row_of(
      "attempts", "how often an idle worker looks for work before it yields and then sleeps",
      &options::attempts,
      {{"100", attempt_limit::shipped, {.summary = "in 100 rounds"}},
       {"2p",
        attempt_limit::twice_workers,
        {.summary = "twice as often as there are workers", .paper = "Lin, Huang & Wong 2020"}}},
      each_requires({"2p"}, "idle", {"park", "yield"}, "who spins for ever never gives up"));
}

row backoff_row() {
  using schedulers::backoff_policy;
  return row_of(
      "backoff", "what an idle worker does between two rounds of looks", &options::backoff,
      {{"linear", backoff_policy::linear, {.summary = "pauses 1, 2, 3, 4, 4, … times"}},
       {"exponential",
        backoff_policy::exponential,
        {.summary = "pauses 1, 2, 4, … 64, 64, … times", .paper = "Agarwal & Cherian 1989"}},
       {"yield",
        backoff_policy::yield_thread,
        {.summary = "yields its processor", .paper = "Arora, Blumofe & Plaxton 1998"}}});
}

row searchers_row() {
  using schedulers::searcher_limit;
  return row_of(
      "searchers", "how many idle workers look for work at a time", &options::searchers,
      {{"half", searcher_limit::half, {.summary = "one more than half of all"}},
       {"one", searcher_limit::one, {.summary = "one"}},
       {"all", searcher_limit::all, {.summary = "all"}}},
      each_requires({"one", "all"}, "idle", {"park"}, "only who sleeps makes room for another"));
}

row split_row() {
  using schedulers::loop_split;
  return row_of("split", "how a loop is cut", &options::split,
                {{"lazy",
                  loop_split::lazy,
                  {.summary = "in two, whenever another worker asks for work",
                   .paper = "Tzannes, Caragea, Barua & Vishkin 2010"}},
                 {"eager", loop_split::eager, {.summary = "into pieces of a grain, at the start"}},
                 {"guided",
                  loop_split::guided,
                  {.summary = "into ever shorter pieces, which workers take from a counter",
                   .paper = "Polychronopoulos & Kuck 1987"}}});
}

}  // namespace stealbench::engine
