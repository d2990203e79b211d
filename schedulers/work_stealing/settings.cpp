#include "schedulers/work_stealing/settings.hpp"

#include <algorithm>
#include <chrono>
#include <string>
#include <string_view>
#include <utility>

#include "schedulers/work_stealing/every_deque.hpp"

namespace stealbench::work_stealing {
namespace {

using schedulers::each_requires;
using schedulers::requirement;
using schedulers::row;
using schedulers::row_of;
using schedulers::setting_value;
using schedulers::whole;

options& own(schedulers::options& all) { return all.stealing; }

const std::vector<std::string_view> work_stealing_alone{"work-stealing"};

template <class... Deques>
struct described {
  static std::vector<setting_value> values() {
    return {setting_value{std::string(Deques::name), Deques::describe()}...};
  }
};

template <class... Deques>
struct with_loot {
  static std::vector<std::string> words() {
    std::vector<std::string> made;
    (add<Deques>(made), ...);
    return made;
  }
  // Of pointers, so that a job can be in the deque of another worker than its owner.
  template <class Deque>
  static void add(std::vector<std::string>& to) {
    if constexpr (requires { typename Deque::template deque<int*>; }) to.emplace_back(Deque::name);
  }
};

// A deque is a type, and chosen by who links it.
row deque_row(const std::vector<std::string_view>& schedulers, std::string meaning,
              std::vector<setting_value> values) {
  return {schedulers,
          {"deque", std::move(meaning), std::move(values)},
          [](std::string_view /*chosen*/, schedulers::options& /*options*/) {}};
}

row deque_of_jobs() {
  return deque_row(work_stealing_alone, "the deque in which a worker keeps its jobs",
                   deques::every<described>::values());
}

row deque_of_continuations() {
  return deque_row({"continuation-stealing"},
                   "the deque in which a worker keeps the rests of parents",
                   deques::every_of_continuations<described>::values());
}

row victim_row() {
  using enum victim_choice;
  return row_of(work_stealing_alone, "victim", "which worker a thief tries first", own,
                &options::victim,
                {{"random",
                  random,
                  {.summary = "any other worker",
                   .paper = "Blumofe & Leiserson 1999",
                   .bound = "T1/P + O(T∞) expected"}},
                 {"last", last, {.summary = "the victim of the latest steal"}},
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

row expose_row() {
  return row_of(work_stealing_alone, "expose", "when a worker makes a private job public", own,
                &options::expose,
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
      work_stealing_alone, "beat", "the period of expose=heartbeat", own, &options::beat,
      {{"100us", 100us}, {"30us", 30us}, {"300us", 300us}, {"1ms", 1ms}},
      each_requires({"30us", "300us", "1ms"}, "expose", {"heartbeat"}, "nothing else has beats"));
}

row amount_row() {
  std::vector<requirement> of_half =
      each_requires({"half"}, "deque", deques::every<with_loot>::words(),
                    "its jobs lie in the slots of their owner");
  of_half.push_back({"half", "join", {"any"}, "a job in a thief's deque has no runner yet"});
  return row_of(work_stealing_alone, "amount", "how many jobs a thief takes at a time", own,
                &options::amount,
                {{"one", steal_amount::one, {.summary = "one"}},
                 {"half",
                  steal_amount::half,
                  {.summary = "up to half of the victim's, all but one into its own deque",
                   .paper = "Hendler & Shavit 2002"}}},
                std::move(of_half));
}

row idle_row() {
  using schedulers::idle_policy;
  return row_of(work_stealing_alone, "idle", "what a worker without work does", whole,
                &schedulers::options::idle,
                {{"park", idle_policy::park, {.summary = "spins, yields, then sleeps"}},
                 {"yield", idle_policy::yield, {.summary = "spins, then yields, for ever"}},
                 {"spin", idle_policy::spin, {.summary = "spins for ever"}}});
}

row attempts_row() {
  using schedulers::attempt_limit;
  return row_of(
      work_stealing_alone, "attempts",
      "how often an idle worker looks for work before it yields and then sleeps", whole,
      &schedulers::options::attempts,
      {{"100", attempt_limit::shipped, {.summary = "in 100 rounds of up to four looks"}},
       {"2p",
        attempt_limit::twice_workers,
        {.summary = "twice as often as there are workers", .paper = "Lin, Huang & Wong 2020"}},
       {"1600", attempt_limit::many, {.summary = "in 1600 rounds"}}},
      each_requires({"2p", "1600"}, "idle", {"park"}, "a worker that never sleeps never gives up"));
}

row backoff_row() {
  using schedulers::backoff_policy;
  return row_of(
      work_stealing_alone, "backoff", "what an idle worker does between two rounds of looks", whole,
      &schedulers::options::backoff,
      {{"linear", backoff_policy::linear, {.summary = "pauses 1, 2, 3, 4, 4, … times"}},
       {"none", backoff_policy::none, {.summary = "nothing"}},
       {"exponential",
        backoff_policy::exponential,
        {.summary = "pauses 1, 2, 4, … 64, 64, … times", .paper = "Agarwal & Cherian 1989"}},
       {"yield",
        backoff_policy::yield,
        {.summary = "yields its processor", .paper = "Arora, Blumofe & Plaxton 1998"}}});
}

row searchers_row() {
  using schedulers::searcher_limit;
  return row_of(
      work_stealing_alone, "searchers", "how many idle workers look for work at a time", whole,
      &schedulers::options::searchers,
      {{"half", searcher_limit::half, {.summary = "one more than half of all"}},
       {"one", searcher_limit::one, {.summary = "one"}},
       {"all", searcher_limit::all, {.summary = "all"}}},
      each_requires({"one", "all"}, "idle", {"park"}, "only who sleeps makes room for another"));
}

row join_row() {
  using schedulers::join_policy;
  return row_of(work_stealing_alone, "join",
                "which jobs a worker may run while it waits for a stolen job: any, only those of "
                "the thief, or none",
                whole, &schedulers::options::join,
                {{"any", join_policy::any, {.summary = "anyone's"}},
                 {"leapfrog",
                  join_policy::leapfrog,
                  {.summary = "those of the thief alone", .paper = "Wagner & Calder 1993"}},
                 {"wait", join_policy::wait, {.summary = "none: it waits"}}},
                each_requires({"leapfrog"}, "expose", {"asked", "always"},
                              "between two beats the thief has next to no job to take"));
}

// A setting that continuation stealing has as well, but for the values that require one that it has
// not.
row of_continuations(row made) {
  made.schedulers = {"continuation-stealing"};
  std::erase_if(made.what.values, [&](const setting_value& value) {
    return std::ranges::count(made.what.requirements, value.word, &requirement::value) > 0;
  });
  made.what.requirements.clear();
  return made;
}

}  // namespace

std::vector<row> setting_rows() {
  std::vector<row> all{deque_of_continuations(), of_continuations(victim_row()),
                       of_continuations(idle_row())};
  for (row (*const each)() : {&deque_of_jobs, &victim_row, &expose_row, &beat_row, &amount_row,
                              &idle_row, &attempts_row, &backoff_row, &searchers_row, &join_row}) {
    all.push_back(each());
  }
  return all;
}

}  // namespace stealbench::work_stealing
