// A row of the table of settings: what a user may write, and which option it sets.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "schedulers/options.hpp"
#include "schedulers/variant.hpp"

namespace stealbench::schedulers {

struct row {
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

/// Of a setting whose values are those of one member of the options, or of a room's own.
template <class Owner, class Value>
row row_of(std::string name, std::string meaning, Value Owner::*member,
           const std::vector<word<Value>>& words, std::vector<requirement> requirements = {}) {
  row result{{std::move(name), std::move(meaning), {}, std::move(requirements)},
             [member, words](std::string_view chosen, options& all) {
               for (const word<Value>& each : words) {
                 if (each.text != chosen) continue;
                 if constexpr (std::is_same_v<Owner, options>) {
                   all.*member = each.value;
                 } else {
                   auto own = own_options<Owner>(all);
                   own.*member = each.value;
                   all.own = own;
                 }
               }
             }};
  for (const word<Value>& each : words) {
    result.what.values.push_back({std::string(each.text), each.about});
  }
  return result;
}

/// What each of these deques says of itself.
template <class... Deques>
struct described {
  static std::vector<setting_value> values() {
    return {setting_value{std::string(Deques::name), Deques::describe()}...};
  }
};

/// A deque is a type, and chosen by who links it.
inline row deque_row(std::string meaning, std::vector<setting_value> values) {
  return {{"deque", std::move(meaning), std::move(values)},
          [](std::string_view /*chosen*/, options& /*all*/) {}};
}

}  // namespace stealbench::schedulers
