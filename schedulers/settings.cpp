#include "schedulers/settings.hpp"

#include <chrono>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "schedulers/work_stealing/every_deque.hpp"

namespace stealbench::schedulers {
namespace {

struct row {
  std::vector<std::string_view> schedulers;
  setting what;
  std::function<void(std::string_view, options&)> apply;
};

/// The part of the options that `Owner` is: all of them, or those of one scheduler.
template <class Owner>
Owner& part_of(options& all) {
  if constexpr (std::is_same_v<Owner, options>) return all;
  if constexpr (std::is_same_v<Owner, work_stealing::options>) return all.stealing;
  if constexpr (std::is_same_v<Owner, central_queue::options>) return all.central;
  if constexpr (std::is_same_v<Owner, work_sharing::options>) return all.sharing;
  if constexpr (std::is_same_v<Owner, push_migration::options>) return all.pushing;
}

template <class Value>
struct word {
  std::string_view text;
  Value value;
  description about = {};
};

template <class Owner, class Value>
row row_of(std::vector<std::string_view> schedulers, std::string name, std::string meaning,
           Value Owner::*member, const std::vector<word<Value>>& words,
           std::vector<requirement> requirements = {}) {
  row made{std::move(schedulers),
           {std::move(name), std::move(meaning), {}, std::move(requirements)},
           [member, words](std::string_view chosen, options& options) {
             for (const word<Value>& each : words) {
               if (each.text == chosen) part_of<Owner>(options).*member = each.value;
             }
           }};
  for (const word<Value>& each : words) {
    made.what.values.push_back({std::string(each.text), each.about});
  }
  return made;
}

template <class... Deques>
struct described {
  static std::vector<setting_value> values() {
    return {setting_value{std::string(Deques::name), Deques::describe()}...};
  }
};

// A deque is a type, and chosen by who links it.
row deque_row() {
  return {{"work-stealing"},
          {"deque", "the deque in which a worker keeps its jobs",
           work_stealing::deques::every<described>::values()},
          [](std::string_view /*chosen*/, options& /*options*/) {}};
}

row expose_row() {
  using work_stealing::exposure;
  return row_of<work_stealing::options, exposure>(
      {"work-stealing"}, "expose", "when a worker makes a private job public",
      &work_stealing::options::expose,
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
                    "no other deque has private jobs that become public"));
}

row beat_row() {
  using namespace std::chrono_literals;
  return row_of<work_stealing::options, std::chrono::nanoseconds>(
      {"work-stealing"}, "beat", "the period of expose=heartbeat", &work_stealing::options::beat,
      {{"100us", 100us}, {"30us", 30us}, {"300us", 300us}, {"1ms", 1ms}},
      each_requires({"30us", "300us", "1ms"}, "expose", {"heartbeat"}, "nothing else has beats"));
}

row attempts_row() {
  return row_of<options, attempt_limit>(
      {"work-stealing"}, "attempts",
      "how often an idle worker looks for work before it yields and then sleeps",
      &options::attempts,
      {{"100", attempt_limit::shipped, {.summary = "in 100 rounds of up to four looks"}},
       {"2p",
        attempt_limit::twice_workers,
        {.summary = "twice as often as there are workers", .paper = "Lin, Huang & Wong 2020"}},
       {"1600", attempt_limit::many, {.summary = "in 1600 rounds"}}},
      each_requires({"2p", "1600"}, "idle", {"park"}, "a worker that never sleeps never gives up"));
}

row backoff_row() {
  return row_of<options, backoff_policy>(
      {"work-stealing"}, "backoff", "what an idle worker does between two rounds of looks",
      &options::backoff,
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
  return row_of<options, searcher_limit>(
      {"work-stealing"}, "searchers", "how many idle workers look for work at a time",
      &options::searchers,
      {{"half", searcher_limit::half, {.summary = "one more than half of all"}},
       {"one", searcher_limit::one, {.summary = "one"}},
       {"all", searcher_limit::all, {.summary = "all"}}},
      each_requires({"one", "all"}, "idle", {"park"}, "only who sleeps makes room for another"));
}

row split_row() {
  return row_of<options, loop_split>(
      {"work-stealing", "central-queue", "pull-migration"}, "split", "how a loop is cut",
      &options::split,
      {{"lazy",
        loop_split::lazy,
        {.summary = "in two, whenever another worker asks for work",
         .paper = "Tzannes, Caragea, Barua & Vishkin 2010"}},
       {"eager", loop_split::eager, {.summary = "into pieces of a grain, at the start"}},
       {"auto",
        loop_split::automatic,
        {.summary = "into at most 4 pieces for each worker at the start, then lazily",
         .paper = "oneTBB's auto_partitioner"}},
       {"guided",
        loop_split::guided,
        {.summary = "into ever shorter pieces, which workers take from a counter",
         .paper = "Polychronopoulos & Kuck 1987"}}});
}

row order_row() {
  using central_queue::taking_order;
  return row_of<central_queue::options, taking_order>(
      {"central-queue"}, "order", "which job an idle worker takes", &central_queue::options::order,
      {{"fifo", taking_order::fifo, {.summary = "the oldest"}},
       {"lifo", taking_order::lifo, {.summary = "the newest"}}});
}

row place_row() {
  using work_sharing::placement_rule;
  return row_of<work_sharing::options, placement_rule>(
      {"work-sharing"}, "place", "whose inbox a new job goes to", &work_sharing::options::place,
      {{"turn", placement_rule::turn, {.summary = "each worker's in turn"}},
       {"random", placement_rule::random, {.summary = "any worker's"}},
       {"least", placement_rule::least, {.summary = "the one with the fewest jobs"}}});
}

row balance_row() {
  return row_of<push_migration::options, unsigned>(
      {"push-migration"}, "balance", "after how many pushes a worker balances the queues",
      &push_migration::options::period,
      {{"16", 16, {.summary = "every 16th push of a worker"}},
       {"1", 1, {.summary = "every push"}},
       {"4", 4, {.summary = "every fourth push"}},
       {"64", 64, {.summary = "every 64th push"}}});
}

// A new setting is a row here, a new value a word. The first value is the default. The option that
// a row sets is declared and used by the scheduler.
std::vector<row> table() {
  using work_stealing::victim_choice;
  return {deque_row(),
          row_of<work_stealing::options, victim_choice>(
              {"work-stealing"}, "victim", "which worker a thief tries first",
              &work_stealing::options::victim,
              {{"random",
                victim_choice::random,
                {.summary = "any other worker",
                 .paper = "Blumofe & Leiserson 1999",
                 .bound = "T1/P + O(T∞) expected"}},
               {"last", victim_choice::last, {.summary = "the victim of the latest steal"}},
               {"round-robin", victim_choice::round_robin, {.summary = "each in turn"}},
               {"nearest",
                victim_choice::nearest,
                {.summary = "the nearest worker by the machine's topology"}},
               {"first", victim_choice::first, {.summary = "worker 0, and then each in turn"}},
               {"busiest", victim_choice::busiest, {.summary = "the one with the most jobs"}},
               {"own-first",
                victim_choice::own_first,
                {.summary = "the thief's own latest thieves, and then any",
                 .paper = "Suksompong, Leiserson & Schardl 2016",
                 .bound = "T1/P + O(T∞ P) expected, of their algorithm"}}}),
          expose_row(),
          beat_row(),
          row_of<options, idle_policy>(
              {"work-stealing"}, "idle", "what a worker without work does", &options::idle,
              {{"park", idle_policy::park, {.summary = "spins, yields, then sleeps"}},
               {"yield", idle_policy::yield, {.summary = "spins, then yields, for ever"}},
               {"spin", idle_policy::spin, {.summary = "spins for ever"}}}),
          attempts_row(),
          backoff_row(),
          searchers_row(),
          row_of<options, join_policy>(
              {"work-stealing"}, "join",
              "which jobs a worker may run while it waits for a stolen job: any, only those of the "
              "thief, or none",
              &options::join,
              {{"any", join_policy::any, {.summary = "anyone's"}},
               {"leapfrog",
                join_policy::leapfrog,
                {.summary = "those of the thief alone", .paper = "Wagner & Calder 1993"}},
               {"wait", join_policy::wait, {.summary = "none: it waits"}}},
              each_requires({"leapfrog"}, "expose", {"asked", "always"},
                            "between two beats the thief has next to no job to take")),
          split_row(),
          order_row(),
          place_row(),
          balance_row()};
}

const std::vector<row>& rows() {
  static const std::vector<row> all = table();
  return all;
}

}  // namespace

const std::vector<setting>& settings_of(std::string_view scheduler) {
  static const auto by_scheduler = [] {
    std::map<std::string_view, std::vector<setting>> made;
    for (const row& each : rows()) {
      for (const std::string_view name : each.schedulers) made[name].push_back(each.what);
    }
    return made;
  }();
  static const std::vector<setting> none;
  const auto found = by_scheduler.find(scheduler);
  return found == by_scheduler.end() ? none : found->second;
}

void apply(const variant& chosen, options& options) {
  for (const row& each : rows()) {
    each.apply(chosen.value_of(each.what.name), options);
  }
}

}  // namespace stealbench::schedulers
