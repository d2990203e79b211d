// What reads a file of a user's in a process of the suite: a profile.
#pragma once

#include <array>
#include <cstdint>
#include <random>
#include <stdexcept>
#include <string>

#include <nlohmann/json.hpp>

#include "schedulers/virtual_machine/profile.hpp"

namespace stealbench::fuzz {

using json = nlohmann::ordered_json;

inline std::size_t draw(std::mt19937& random, std::size_t below) { return random() % below; }

/// What a program that reads JSON may not expect.
inline json unexpected(std::mt19937& random) {
  static const json values = json::parse(
      R"([null, true, 0, 1, 2, -1, 1e308, 5e-324, 1e18, 18446744073709551615, "", "serial", "a=b",
          "<a\u001b|`\n\"'%{}", "1e999", [{}], {"x": []}])");
  return values.at(draw(random, values.size()));
}

inline json::iterator any_member(json& of, std::mt19937& random) {
  return std::next(of.begin(), static_cast<std::ptrdiff_t>(draw(random, of.size())));
}

inline void change(json& whole, std::mt19937& random) {
  json* chosen = &whole;
  while (chosen->is_structured() && !chosen->empty() && draw(random, 8) != 0) {
    chosen = &*any_member(*chosen, random);
  }
  if (chosen->is_structured() && !chosen->empty() && draw(random, 2) == 0) {
    const auto member = any_member(*chosen, random);
    if (chosen->is_array() && draw(random, 2) == 0) {
      chosen->push_back(json(*member));
    } else {
      chosen->erase(member);
    }
  } else if (chosen->is_number() && draw(random, 2) == 0) {
    constexpr std::array factors{0.0, 0.5, 2.0, 1e-9, 1e9, -1.0};
    *chosen = chosen->get<double>() * factors.at(draw(random, factors.size()));
  } else {
    *chosen = unexpected(random);
  }
}

/// Reads the input as a simulated process does. What is refused is refused by
/// std::invalid_argument, which ends with exit status 2; any other exception leaves it, and is a
/// finding. True if the profile was read.
inline bool try_profile(const std::string& text) {
  try {
    static_cast<void>(virtual_machine::profile_of(virtual_machine::parse_profile(text)));
    return true;
  } catch (const std::invalid_argument&) {
    return false;
  }
}

/// The input with one change, which `seed` chooses: another value, without a member, or with one
/// twice; so that what is tried gets past the parser.
[[nodiscard]] inline std::string mutated(const std::string& text, unsigned seed) {
  std::mt19937 random(seed);
  json whole = json::parse(text, nullptr, false);
  if (whole.is_discarded()) return text;
  change(whole, random);
  return whole.dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace stealbench::fuzz
