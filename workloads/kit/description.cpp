// The text of a description: what kit::described reads.
#include <algorithm>
#include <array>
#include <span>
#include <sstream>
#include <stdexcept>
#include <tuple>
#include <utility>

#include <boost/algorithm/string.hpp>
#include <fmt/format.h>

#include "workloads/kit/parameters.hpp"
#include "workloads/texts.hpp"

namespace stealbench::kit {
namespace {

constexpr std::array<std::pair<std::string_view, std::string profile::*>, 8> profile_labels{
    {{"shape", &profile::shape},
     {"tasks", &profile::tasks},
     {"work", &profile::work},
     {"span", &profile::span},
     {"bound by", &profile::bound_by},
     {"answer", &profile::answer},
     {"source", &profile::source},
     {"unit", &profile::unit}}};

/// Entries of one line each: a line that begins with a space continues the one before it.
std::vector<std::string> entries_of(std::string_view text) {
  std::istringstream lines{std::string(text)};
  std::vector<std::string> entries;
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line.front() == '#') continue;
    if (line.front() == ' ' && !entries.empty()) {
      entries.back() += line.substr(line.find_first_not_of(' ') - 1);
    } else {
      entries.push_back(std::move(line));
    }
  }
  return entries;
}

/// The text before the mark and behind it. Throws std::logic_error if there is no mark: a
/// description is part of the program.
std::pair<std::string, std::string> cut_at(const std::string& text, std::string_view mark) {
  const std::size_t place = text.find(mark);
  if (place == std::string::npos) {
    throw std::logic_error(fmt::format("a description has '{}' without '{}'", text, mark));
  }
  return {text.substr(0, place), text.substr(place + mark.size())};
}

std::vector<std::string> parts_of(const std::string& text, const char* mark) {
  std::vector<std::string> parts;
  return boost::iter_split(parts, text, boost::first_finder(mark));
}

/// `1 to 2^20`, `real, 0 to 1.5`, `any` whole number, or `one | other`.
decltype(parameter::domain) domain_of(const std::string& valid, const std::string& standard) {
  constexpr std::string_view real = "real, ";
  if (valid == "any") return integer_domain{0, ~std::uint64_t{0}, parse_integer(standard).value()};
  if (valid.find(" to ") == std::string::npos) {
    return choice_domain{.words = parts_of(valid, " | "), .standard = standard};
  }
  if (valid.starts_with(real)) {
    const auto [least, most] = cut_at(valid.substr(real.size()), " to ");
    return real_domain{std::stod(least), std::stod(most), std::stod(standard)};
  }
  const auto [least, most] = cut_at(valid, " to ");
  return integer_domain{parse_integer(least).value(), parse_integer(most).value(),
                        parse_integer(standard).value()};
}

/// `leaf, 16 to n`, or of levels: `cutoff, 0 to 9, levels of forks`.
granularity granularity_of(const std::string& text) {
  constexpr std::array<std::string_view, 3> units{"size", "levels of a piece", "levels of forks"};
  std::vector<std::string> parts = parts_of(text, ", ");
  if (parts.size() == 2) parts.emplace_back(units.front());
  if (std::ranges::count(units, parts.at(2)) == 0) {
    throw std::logic_error(fmt::format("a grain of '{}'", parts[2]));
  }
  std::ranges::replace(parts[2], ' ', '_');
  const auto [least, most] = cut_at(parts[1], " to ");
  const std::optional<std::uint64_t> number = parse_integer(most);
  return {.parameter = parts[0],
          .counts = parts[2],
          .least = parse_integer(least).value(),
          .most = number.value_or(~std::uint64_t{0}),
          .bounded_by = number ? "" : most};
}

const std::vector<std::string>& words_of(const std::vector<parameter>& all,
                                         const std::string& key) {
  const auto found = std::ranges::find(all, key, &parameter::key);
  if (found == all.end()) throw std::logic_error(fmt::format("there is no parameter {}", key));
  return std::get<choice_domain>(found->domain).words;
}

/// `n=128 form=*; n=100`, of these parameters.
std::vector<std::vector<assignment>> parse_instances(const std::vector<parameter>& declared,
                                                     const std::string& text) {
  std::vector<std::vector<assignment>> all;
  for (const std::string& instance : parts_of(text, "; ")) {
    std::vector<std::vector<assignment>> added{{}};
    std::istringstream words(instance);
    for (std::string word; words >> word;) {
      const assignment typed = parse_assignment(word);
      const std::vector<std::string> values = typed.second == "*"
                                                  ? words_of(declared, typed.first)
                                                  : std::vector<std::string>{typed.second};
      std::vector<std::vector<assignment>> longer;
      for (const std::vector<assignment>& each : added) {
        for (const std::string& value : values) {
          longer.push_back(each);
          longer.back().emplace_back(typed.first, value);
        }
      }
      added = std::move(longer);
    }
    std::ranges::move(added, std::back_inserter(all));
  }
  return all;
}

}  // namespace

description described(std::string_view text) {
  const std::vector<std::string> entries = entries_of(text);
  description parsed;
  std::tie(parsed.name, parsed.summary) = cut_at(entries.at(0), ": ");
  for (const std::string& each : std::span(entries).subspan(1)) {
    if (each.find('=') < each.find(':')) {
      const auto [value, meaning] = cut_at(each, "): ");
      const auto [assigned, valid] = cut_at(value, " (");
      const auto [key, standard] = parse_assignment(assigned);
      parsed.parameters.push_back({key, meaning, domain_of(valid, standard)});
      continue;
    }
    const auto [label, content] = cut_at(each, ": ");
    const auto* const field =
        std::ranges::find(profile_labels, label, &decltype(profile_labels)::value_type::first);
    if (field != profile_labels.end()) {
      parsed.about.*field->second = content;
    } else if (label == "grain") {
      parsed.grain = granularity_of(content);
    } else if (label == "sizes") {
      const std::vector<std::string> all = parts_of(content, " | ");
      for (std::size_t i = 0; i < all.size(); ++i) {
        parsed.sizes.push_back({size_names.at(i), parse_instances(parsed.parameters, all[i])});
      }
    } else {
      throw std::logic_error(fmt::format("a description has the unknown label '{}'", label));
    }
  }
  return parsed;
}

description description_of(std::string_view name) {
  using entry = decltype(workloads::texts[0]);
  const auto* const found =
      std::ranges::find(workloads::texts, name, [](entry each) { return each.first; });
  if (found == std::end(workloads::texts)) {
    throw std::logic_error(fmt::format("no room has {}.txt", name));
  }
  return described(found->second);
}

}  // namespace stealbench::kit
