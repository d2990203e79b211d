#include "schedulers/settings.hpp"

#include <functional>
#include <string_view>
#include <type_traits>
#include <utility>

namespace stealbench::schedulers {
namespace {

struct row {
  setting what;
  std::function<void(std::string_view, options&)> apply;
};

/// The part of the options that `Owner` is: all of them, or those of one scheduler.
template <class Owner>
Owner& part_of(options& all) {
  if constexpr (std::is_same_v<Owner, options>) return all;
  if constexpr (std::is_same_v<Owner, work_stealing::options>) return all.stealing;
}

template <class Owner, class Value>
row row_of(std::string name, std::string meaning, Value Owner::*member,
           const std::vector<std::pair<std::string_view, Value>>& words) {
  row made{{std::move(name), std::move(meaning), {}},
           [member, words](std::string_view chosen, options& options) {
             for (const auto& [word, value] : words) {
               if (word == chosen) part_of<Owner>(options).*member = value;
             }
           }};
  for (const auto& each : words) made.what.values.emplace_back(each.first);
  return made;
}

// A new setting is a row here, a new value a word. The first value is the default. The option that
// a row sets is declared and used by the scheduler.
const std::vector<row>& table() {
  static const std::vector<row> rows{
      {{"deque", "the deque in which a worker keeps its jobs", {STEALBENCH_DEQUES}},
       [](std::string_view /*chosen*/, options& /*options*/) {}},
      row_of("victim", "which worker a thief tries first", &work_stealing::options::victim,
             {{"random", work_stealing::victim_choice::random},
              {"last", work_stealing::victim_choice::last},
              {"round-robin", work_stealing::victim_choice::round_robin},
              {"nearest", work_stealing::victim_choice::nearest}}),
      row_of("idle", "what a worker without work does", &options::idle,
             {{"park", idle_policy::park},
              {"yield", idle_policy::yield},
              {"spin", idle_policy::spin}}),
      row_of("join",
             "which jobs a worker may run while it waits for a stolen job: any, or only those of "
             "the thief",
             &options::join, {{"any", join_policy::any}, {"leapfrog", join_policy::leapfrog}})};
  return rows;
}

}  // namespace

const std::vector<setting>& work_stealing_settings() {
  static const std::vector<setting> settings = [] {
    std::vector<setting> made;
    for (const row& each : table()) made.push_back(each.what);
    return made;
  }();
  return settings;
}

void apply(const variant& chosen, options& options) {
  for (const row& each : table()) each.apply(chosen.value_of(each.what.name), options);
}

}  // namespace stealbench::schedulers
