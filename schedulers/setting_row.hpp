// A row of the table of settings: what a user may write, and which option it sets.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "schedulers/options.hpp"
#include "schedulers/variant.hpp"

namespace stealbench::schedulers {

struct row {
  std::vector<std::string_view> schedulers;  ///< That have the setting.
  setting what;
  std::function<void(std::string_view, options&)> apply;
};

/// A value of a setting. The first one of a row is the default.
template <class Value>
struct word {
  std::string_view text;
  Value value;
  description about = {};
};

/// Of a setting whose values are those of one member of the options, or of the part of them that
/// `part` is: the options of one scheduler.
template <class Owner, class Value>
row row_of(std::vector<std::string_view> schedulers, std::string name, std::string meaning,
           Owner& (*part)(options&), Value Owner::*member, const std::vector<word<Value>>& words,
           std::vector<requirement> requirements = {}) {
  row made{std::move(schedulers),
           {std::move(name), std::move(meaning), {}, std::move(requirements)},
           [part, member, words](std::string_view chosen, options& options) {
             for (const word<Value>& each : words) {
               if (each.text == chosen) part(options).*member = each.value;
             }
           }};
  for (const word<Value>& each : words) {
    made.what.values.push_back({std::string(each.text), each.about});
  }
  return made;
}

/// The part that is all of them.
inline options& whole(options& all) { return all; }

}  // namespace stealbench::schedulers
