#include "workloads/kit/parameters.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <limits>
#include <optional>
#include <system_error>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

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

/// The value of a text; nothing if it is not in the domain.
std::optional<parameters::value> value_in(const integer_domain& domain, const std::string& text) {
  const auto number = parse_integer(text);
  if (!number || *number < domain.least || *number > domain.most) return std::nullopt;
  return *number;
}

std::optional<parameters::value> value_in(const real_domain& domain, const std::string& text) {
  const auto number = parse_all<double>(text);
  // Written so that NaN is refused.
  if (!number || !(*number >= domain.least && *number <= domain.most)) return std::nullopt;
  return *number + 0.0;  // -0 becomes 0, so that equal values are printed alike.
}

std::optional<parameters::value> value_in(const choice_domain& domain, const std::string& text) {
  if (std::ranges::count(domain.words, text) == 0) return std::nullopt;
  return text;
}

std::string valid_in(const integer_domain& domain) {
  return fmt::format("an integer between {} and {}", domain.least, domain.most);
}

std::string valid_in(const real_domain& domain) {
  return fmt::format("a number between {} and {}", domain.least, domain.most);
}

std::string valid_in(const choice_domain& domain) {
  return fmt::format("one of {}", fmt::join(domain.words, ", "));
}

std::string text_of(const assignment& what) {
  return fmt::format("{}={}", what.first, what.second);
}

parameters::value default_of(const parameter& declared) {
  return std::visit([](const auto& domain) -> parameters::value { return domain.standard; },
                    declared.domain);
}

const parameter& find_parameter(const description& workload, const assignment& what) {
  return find_named(
      workload.parameters, &parameter::key, what.first,
      fmt::format("--set {}: {} has no parameter '{}'", text_of(what), workload.name, what.first));
}

/// The assignments that `what` means; none for most.
const std::vector<assignment>& meaning_of(const description& workload, const assignment& what) {
  static const std::vector<assignment> nothing;
  const auto* const choice = std::get_if<choice_domain>(&find_parameter(workload, what).domain);
  if (choice == nullptr) return nothing;
  const auto found = choice->means.find(what.second);
  return found == choice->means.end() ? nothing : found->second;
}

bool means(const description& workload, const assignment& word, const std::string& key) {
  return std::ranges::count(meaning_of(workload, word), key, &assignment::first) > 0;
}

}  // namespace

void refuse(const std::string& complaint, const std::vector<std::string>& valid) {
  throw bad_input(fmt::format("{}; valid: {}", complaint, fmt::join(valid, ", ")));
}

std::optional<std::uint64_t> parse_integer(std::string_view text) {
  constexpr std::string_view power_of_two = "2^";
  if (!text.starts_with(power_of_two)) return parse_all<std::uint64_t>(text);
  const auto exponent = parse_all<unsigned>(text.substr(power_of_two.size()));
  if (!exponent || *exponent >= std::numeric_limits<std::uint64_t>::digits) return std::nullopt;
  return std::uint64_t{1} << *exponent;
}

parameters::parameters(const description& workload, const std::vector<assignment>& assignments) {
  for (const parameter& declared : workload.parameters) {
    values_.emplace_back(declared.key, default_of(declared));
    if (const auto* const choice = std::get_if<choice_domain>(&declared.domain)) {
      words_.emplace(declared.key, choice->words);
    }
  }
  for (const assignment& what : assignments) {
    assign(workload, what);
    if (!was_set(what.first)) set_.push_back(what.first);
  }
  // After the loop, so that of several words for one key only the last one counts.
  for (const std::string& key : set_) {
    const assignment last{key, to_string(at(key))};
    for (const assignment& part : meaning_of(workload, last)) {
      if (was_set(part.first)) {
        throw bad_input(fmt::format("--set {}: it means {}, so --set {} cannot be used with it",
                                    text_of(last), text_of(part), part.first));
      }
      assign(workload, part);
    }
  }
}

void parameters::assign(const description& workload, const assignment& what) {
  const parameter& declared = find_parameter(workload, what);
  const auto place = std::ranges::find(values_, what.first, &decltype(values_)::value_type::first);
  auto parsed = std::visit([&](const auto& domain) { return value_in(domain, what.second); },
                           declared.domain);
  if (!parsed) {
    throw bad_input(fmt::format(
        "--set {}: expected {}", text_of(what),
        std::visit([](const auto& domain) { return valid_in(domain); }, declared.domain)));
  }
  place->second = std::move(*parsed);
}

const parameters::value& parameters::at(std::string_view key) const {
  const auto found = std::ranges::find(values_, key, &decltype(values_)::value_type::first);
  if (found == values_.end()) {
    throw std::out_of_range(fmt::format("no parameter is called '{}'", key));
  }
  return found->second;
}

double parameters::real(std::string_view key) const { return std::get<double>(at(key)); }

const std::string& parameters::choice(std::string_view key) const {
  return std::get<std::string>(at(key));
}

std::size_t parameters::place_of_choice(std::string_view key) const {
  const std::vector<std::string>& words = words_.find(key)->second;
  return static_cast<std::size_t>(std::ranges::find(words, choice(key)) - words.begin());
}

bool parameters::was_set(std::string_view key) const { return std::ranges::count(set_, key) > 0; }

std::string to_string(const parameters::value& value) {
  return std::visit([](const auto& held) { return fmt::format("{}", held); }, value);
}

void require_power_of_two(const parameters& chosen, std::string_view key) {
  const std::uint64_t value = chosen.integer(key);
  if (std::has_single_bit(value)) return;
  throw bad_input(fmt::format("--set {}={}: expected a power of two, such as {} or {}", key, value,
                              std::bit_floor(value), std::bit_ceil(value)));
}

std::uint64_t physical_memory_bytes() {
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long page_bytes = sysconf(_SC_PAGESIZE);
  if (pages <= 0 || page_bytes <= 0) return ~std::uint64_t{0};
  return static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page_bytes);
}

void require_memory(std::string_view key, std::uint64_t value,
                    const std::function<std::uint64_t(std::uint64_t)>& bytes_of) {
  constexpr double gib = 1 << 30;
  const std::uint64_t available = physical_memory_bytes();
  const std::uint64_t wanted = bytes_of(value);
  if (wanted <= available) return;
  std::uint64_t fits = 0;
  std::uint64_t fits_not = value;
  while (fits_not - fits > 1) {
    const std::uint64_t middle = fits + (fits_not - fits) / 2;
    (bytes_of(middle) <= available ? fits : fits_not) = middle;
  }
  throw bad_input(fmt::format(
      "--set {}={}: takes {:.1f} GiB, and this machine has {:.1f} GiB of memory; valid: up to {}",
      key, value, static_cast<double>(wanted) / gib, static_cast<double>(available) / gib, fits));
}

assignment parse_assignment(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) {
    throw bad_input(fmt::format("--set {}: expected KEY=VALUE", text.empty() ? "''" : text));
  }
  return {text.substr(0, equals), text.substr(equals + 1)};
}

std::string why_not_simulated(const description& workload) {
  if (!workload.about.unit.empty()) return {};
  if (!workload.about.bound_by.starts_with("memory")) {
    return "cannot be simulated, because its description names no unit of work";
  }
  return fmt::format(
      "cannot be simulated, because only computation is modelled and it is bound by {}",
      workload.about.bound_by);
}

const size& find_size(const description& workload, std::string_view name) {
  return find_named(workload.sizes, &size::name, name,
                    fmt::format("--size {}: {} has no such size", name, workload.name));
}

std::vector<parameters> instances_of(const description& workload, const size& chosen,
                                     const std::vector<assignment>& by_user) {
  const auto is_overridden = [&](const assignment& by_size) {
    return std::ranges::any_of(by_user, [&](const assignment& users) {
      return means(workload, users, by_size.first) || means(workload, by_size, users.first);
    });
  };
  std::vector<parameters> instances;
  for (const std::vector<assignment>& instance : chosen.instances) {
    std::vector<assignment> merged;
    std::ranges::remove_copy_if(instance, std::back_inserter(merged), is_overridden);
    merged.insert(merged.end(), by_user.begin(), by_user.end());
    parameters candidate(workload, merged);
    if (std::ranges::count(instances, candidate.all(), &parameters::all) == 0) {
      instances.push_back(std::move(candidate));
    }
  }
  return instances;
}

}  // namespace stealbench::kit
