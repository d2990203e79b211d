#include "schedulers/engine/settings.hpp"

#include <chrono>
#include <string>
#include <utility>

#include "schedulers/work_stealing/every_deque.hpp"
#include "schedulers/work_stealing/options.hpp"

namespace stealbench::work_stealing {
namespace {

using schedulers::each_requires;
using schedulers::requirement;
using schedulers::row;
using schedulers::row_of;

template <class... Deques>
struct with_loot {
  static std::vector<std::string> words() {
    std::vector<std::string> all;
    for (const auto& [name, is_ring] : {std::pair(Deques::name, deques::ring<Deques>)...}) {
      if (is_ring) all.emplace_back(name);
    }
    return all;
  }
};

row expose_row() {
  return row_of("expose", "when a worker makes a private job public", &options::expose,
                {{"asked",
                  exposure::asked,
                  {.summary = "when a thief asks for one", .paper = "van Dijk & van de Pol 2014"}},
                 {"always", exposure::always, {.summary = "at once"}},
                 {"heartbeat",
                  exposure::heartbeat,
                  {.summary = "once in a period, the oldest one",
                   .paper = "Acar, Charguéraud, Guatto, Rainey & Sieczkowski 2018",
                   .bound = "work and span grow by constant factors, at any grain"}}},
                each_requires({"always", "heartbeat"}, "deque", {"split"},
                              "the private jobs of split alone become public in several ways"));
}

row beat_row() {
  using namespace std::chrono_literals;
  return row_of(
      "beat", "the period of expose=heartbeat", &options::beat,
      {{"100us", 100us}, {"30us", 30us}, {"300us", 300us}, {"1ms", 1ms}},
      each_requires({"30us", "300us", "1ms"}, "expose", {"heartbeat"}, "nothing else has beats"));
}

row amount_row() {
  std::vector<requirement> of_half =
      each_requires({"half"}, "deque", deques::every<with_loot>::words(),
                    "its jobs are in the slots of their owner");
  of_half.push_back({"half", "join", {"any"}, "a job in a thief's deque has no runner yet"});
  return row_of("amount", "how many jobs a thief takes at a time", &options::amount,
                {{"one", steal_amount::one, {.summary = "one"}},
                 {"half",
                  steal_amount::half,
                  {.summary = "up to half of the victim's, all but one into its own deque",
                   .paper = "Hendler & Shavit 2002"}}},
                std::move(of_half));
}

row join_row() {
  using schedulers::join_policy;
  return row_of("join",
                "which jobs a worker may run while it waits for a stolen job: any, only those of "
                "the thief, or none",
                &schedulers::options::join,
                {{"any", join_policy::any, {.summary = "anyone's"}},
                 {"leapfrog",
                  join_policy::leapfrog,
                  {.summary = "those of the thief alone", .paper = "Wagner & Calder 1993"}},
                 {"wait", join_policy::wait, {.summary = "none: it waits"}}},
                each_requires({"leapfrog"}, "expose", {"asked", "always"},
                              "between two beats the thief has next to no job to take"));
}

}  // namespace

row victim_row() {
  using enum victim_choice;
  return row_of("victim", "which worker a thief tries first", &options::victim,
                {{"last", last, {.summary = "the victim of the latest steal, if it had more"}},
                 {"random",
                  random,
                  {.summary = "any other worker",
                   .paper = "Blumofe & Leiserson 1999",
                   .bound = "T1/P + O(T∞) expected"}},
                 {"round-robin", round_robin, {.summary = "each in turn"}},
                 {"nearest", nearest, {.summary = "the nearest worker by the machine's topology"}},
                 {"first", first, {.summary = "worker 0, and then each in turn"}},
                 {"busiest", busiest, {.summary = "the one with the most jobs"}},
                 {"own-first",
                  own_first,
                  {.summary = "the thief's own latest thieves, and then any",
                   .paper = "Suksompong, Leiserson & Schardl 2016",
                   .bound = "T1/P + O(T∞ P) expected, of their algorithm"}}});
}

std::vector<row> setting_rows() {
  return {schedulers::deque_row("the deque in which a worker keeps its jobs",
                                deques::every<schedulers::described>::values()),
          victim_row(),
          expose_row(),
          beat_row(),
          amount_row(),
          engine::idle_row(),
          engine::attempts_row(),
          engine::backoff_row(),
          engine::searchers_row(),
          join_row(),
          engine::split_row()};
}

}  // namespace stealbench::work_stealing
