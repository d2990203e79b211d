#include "schedulers/settings.hpp"

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
                {.summary = "the nearest worker by the machine's topology"}}}),
          row_of<options, idle_policy>(
              {"work-stealing"}, "idle", "what a worker without work does", &options::idle,
              {{"park", idle_policy::park, {.summary = "spins, yields, then sleeps"}},
               {"yield", idle_policy::yield, {.summary = "spins, then yields, for ever"}},
               {"spin", idle_policy::spin, {.summary = "spins for ever"}}}),
          row_of<options, join_policy>(
              {"work-stealing"}, "join",
              "which jobs a worker may run while it waits for a stolen job: any, or only those of "
              "the thief",
              &options::join,
              {{"any", join_policy::any, {.summary = "anyone's"}},
               {"leapfrog",
                join_policy::leapfrog,
                {.summary = "those of the thief alone", .paper = "Wagner & Calder 1993"}}})};
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
