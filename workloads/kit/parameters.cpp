#include "workloads/kit/parameters.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <system_error>
#include <type_traits>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace stealbench::kit {
namespace {

/// The whole of `text` as a number; nothing if a character is left over or it does not fit.
template <class Number>
std::optional<Number> parse_all(std::string_view text) {
  Number number{};
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc{} || stop != end) return std::nullopt;
  return number;
}

std::optional<std::uint64_t> parse_integer(std::string_view text) {
  constexpr std::string_view power_of_two = "2^";
  if (!text.starts_with(power_of_two)) return parse_all<std::uint64_t>(text);
  const auto exponent = parse_all<unsigned>(text.substr(power_of_two.size()));
  if (!exponent || *exponent >= std::numeric_limits<std::uint64_t>::digits) return std::nullopt;
  return std::uint64_t{1} << *exponent;
}

/// A number that is all digits but did not parse is one that is too large.
bool is_all_digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

std::string range_of(const integer_domain& domain) {
  return fmt::format("{} to {}", domain.least, domain.most);
}

std::string range_of(const real_domain& domain) {
  return fmt::format("{} to {}", domain.least, domain.most);
}

parameters::value checked(const assignment& what, const integer_domain& domain) {
  const auto& [key, text] = what;
  const auto number = parse_integer(text);
  if (!number && !is_all_digits(text)) {
    throw bad_input(
        fmt::format("{}={}: not a whole number; valid: {}", key, text, range_of(domain)));
  }
  if (!number || *number < domain.least || *number > domain.most) {
    throw bad_input(fmt::format("{}={}: out of range; valid: {}", key, text, range_of(domain)));
  }
  return *number;
}

parameters::value checked(const assignment& what, const real_domain& domain) {
  const auto& [key, text] = what;
  const auto number = parse_all<double>(text);
  if (!number || !std::isfinite(*number)) {
    throw bad_input(fmt::format("{}={}: not a number; valid: {}", key, text, range_of(domain)));
  }
  if (*number < domain.least || *number > domain.most) {
    throw bad_input(fmt::format("{}={}: out of range; valid: {}", key, text, range_of(domain)));
  }
  return *number + 0.0;  // -0 becomes 0, so that equal values are printed alike.
}

parameters::value checked(const assignment& what, const choice_domain& domain) {
  const auto& [key, text] = what;
  if (std::find(domain.words.begin(), domain.words.end(), text) == domain.words.end()) {
    throw bad_input(
        fmt::format("{}={}: unknown word; valid: {}", key, text, fmt::join(domain.words, ", ")));
  }
  return text;
}

parameters::value default_of(const parameter& declared) {
  return std::visit([](const auto& domain) -> parameters::value { return domain.standard; },
                    declared.domain);
}

const parameter& find_parameter(const description& of, const std::string& key) {
  for (const parameter& declared : of.parameters) {
    if (declared.key == key) return declared;
  }
  std::vector<std::string> keys;
  for (const parameter& declared : of.parameters) keys.push_back(declared.key);
  throw bad_input(
      fmt::format("{} has no parameter '{}'; valid: {}", of.name, key, fmt::join(keys, ", ")));
}

/// The assignments that `what` stands for; none for most.
const std::vector<assignment>& meaning_of(const description& of, const assignment& what) {
  static const std::vector<assignment> nothing;
  const auto* const choice = std::get_if<choice_domain>(&find_parameter(of, what.first).domain);
  if (choice == nullptr) return nothing;
  const auto found = choice->stands_for.find(what.second);
  return found == choice->stands_for.end() ? nothing : found->second;
}

bool stands_for(const description& of, const assignment& word, const std::string& key) {
  const std::vector<assignment>& meaning = meaning_of(of, word);
  return std::any_of(meaning.begin(), meaning.end(),
                     [&](const assignment& part) { return part.first == key; });
}

}  // namespace

parameters::parameters(const description& of, const std::vector<assignment>& assignments) {
  for (const parameter& declared : of.parameters) {
    values_.emplace_back(declared.key, default_of(declared));
  }
  for (const assignment& what : assignments) {
    assign(of, what);
    if (!was_set(what.first)) set_.push_back(what.first);
  }
  // After the loop, so that of several words for one key only the last one counts.
  for (const std::string& key : set_) {
    const assignment last{key, to_string(at(key))};
    for (const assignment& part : meaning_of(of, last)) {
      if (was_set(part.first)) {
        throw bad_input(fmt::format("{}={} and {} cannot both be set: {} stands for {}={}", key,
                                    last.second, part.first, last.second, part.first, part.second));
      }
      assign(of, part);
    }
  }
}

void parameters::assign(const description& of, const assignment& what) {
  const parameter& declared = find_parameter(of, what.first);
  const auto place = std::find_if(values_.begin(), values_.end(),
                                  [&](const auto& entry) { return entry.first == what.first; });
  place->second =
      std::visit([&](const auto& domain) { return checked(what, domain); }, declared.domain);
}

const parameters::value& parameters::at(std::string_view key) const {
  for (const auto& [name, held] : values_) {
    if (name == key) return held;
  }
  throw std::out_of_range(fmt::format("no parameter is called '{}'", key));
}

std::uint64_t parameters::integer(std::string_view key) const {
  return std::get<std::uint64_t>(at(key));
}

double parameters::real(std::string_view key) const { return std::get<double>(at(key)); }

const std::string& parameters::choice(std::string_view key) const {
  return std::get<std::string>(at(key));
}

bool parameters::was_set(std::string_view key) const {
  return std::find(set_.begin(), set_.end(), key) != set_.end();
}

std::string to_string(const parameters::value& value) {
  return std::visit([](const auto& held) { return fmt::format("{}", held); }, value);
}

grain_range range_of_grain(const description& of, const parameters& chosen) {
  const granularity& grain = of.grain.value();
  const auto& domain = std::get<integer_domain>(find_parameter(of, grain.parameter).domain);
  std::uint64_t most = std::min(grain.most, domain.most);
  if (!grain.bounded_by.empty()) most = std::min(most, chosen.integer(grain.bounded_by));
  const std::uint64_t least = std::max(grain.least, domain.least);
  // A small input may end below where a sweep usually begins.
  return {.least = std::min(least, std::max(most, domain.least)),
          .most = std::max(most, domain.least)};
}

std::vector<size> sizes_of(const std::string& key, const std::array<std::string, 4>& values) {
  std::vector<size> all;
  for (std::size_t i = 0; i < size_names.size(); ++i)
    all.push_back({size_names[i], {{{key, values[i]}}}});
  return all;
}

assignment parse_assignment(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) {
    throw bad_input(fmt::format("'{}': expected key=value", text));
  }
  return {text.substr(0, equals), text.substr(equals + 1)};
}

const size& find_size(const description& of, std::string_view name) {
  for (const size& candidate : of.sizes) {
    if (candidate.name == name) return candidate;
  }
  std::vector<std::string> names;
  for (const size& candidate : of.sizes) names.push_back(candidate.name);
  throw bad_input(
      fmt::format("{} has no size '{}'; valid: {}", of.name, name, fmt::join(names, ", ")));
}

std::vector<parameters> instances_of(const description& of, const size& chosen,
                                     const std::vector<assignment>& by_user) {
  const auto is_overridden = [&](const assignment& by_size) {
    return std::any_of(by_user.begin(), by_user.end(), [&](const assignment& users) {
      return stands_for(of, users, by_size.first) || stands_for(of, by_size, users.first);
    });
  };
  std::vector<parameters> instances;
  for (const std::vector<assignment>& instance : chosen.instances) {
    std::vector<assignment> merged;
    std::copy_if(instance.begin(), instance.end(), std::back_inserter(merged),
                 [&](const assignment& by_size) { return !is_overridden(by_size); });
    merged.insert(merged.end(), by_user.begin(), by_user.end());
    parameters candidate(of, merged);
    const bool is_new =
        std::none_of(instances.begin(), instances.end(),
                     [&](const parameters& earlier) { return earlier.all() == candidate.all(); });
    if (is_new) instances.push_back(std::move(candidate));
  }
  return instances;
}

}  // namespace stealbench::kit
