#include "schedulers/settings.hpp"

#include <functional>
#include <string_view>
#include <utility>

namespace stealbench::schedulers {
namespace {

struct row {
  setting what;
  std::function<void(std::string_view, options&)> apply;
};

template <class Value>
row row_of(std::string name, std::string meaning, Value options::*member,
           const std::vector<std::pair<std::string_view, Value>>& words) {
  row made{{std::move(name), std::move(meaning), {}},
           [member, words](std::string_view chosen, options& options) {
             for (const auto& [word, value] : words) {
               if (word == chosen) options.*member = value;
             }
           }};
  for (const auto& each : words) made.what.values.emplace_back(each.first);
  return made;
}

// A new setting is a row here, a new value a word. The first value is the default.
const std::vector<row>& table() {
  static const std::vector<row> rows{
      {{"deque", "the deque in which a worker keeps its jobs", {STEALBENCH_DEQUES}},
       [](std::string_view /*chosen*/, options& /*options*/) {}},
      row_of("victim", "which worker a thief tries first", &options::victim,
             {{"random", victim_choice::random},
              {"last", victim_choice::last},
              {"round-robin", victim_choice::round_robin},
              {"nearest", victim_choice::nearest}}),
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
