#include "workloads/recursive/uts/uts.hpp"

#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

namespace stealbench::uts {
namespace {

// By tree_type, and by tree_shape.
constexpr std::array<std::string_view, 4> type_words{"bin", "geo", "hybrid", "balanced"};
constexpr std::array<std::string_view, 4> shape_words{"linear", "expdec", "cyclic", "fixed"};

template <class Enum>
std::string word_of(const std::array<std::string_view, 4>& words, Enum wanted) {
  return std::string(words.at(static_cast<std::size_t>(wanted)));
}

/// The parameters that a published name means, as a user would type them.
std::vector<kit::assignment> assignments_for(const tree_parameters& chosen) {
  return {{"type", word_of(type_words, chosen.type)}, {"shape", word_of(shape_words, chosen.shape)},
          {"depth", fmt::format("{}", chosen.depth)}, {"b0", fmt::format("{}", chosen.b0)},
          {"seed", fmt::format("{}", chosen.seed)},   {"q", fmt::format("{}", chosen.q)},
          {"m", fmt::format("{}", chosen.m)},         {"shift", fmt::format("{}", chosen.shift)}};
}

kit::choice_domain tree_names() {
  kit::choice_domain domain{.words = {"custom"}, .standard = "custom"};
  for (const named_tree& known : named_trees()) {
    domain.words.emplace_back(known.name);
    domain.means.emplace(known.name, assignments_for(known.parameters));
  }
  return domain;
}

}  // namespace

counts sum_of(std::span<const counts> children) {
  counts sum{.nodes = 1, .leaves = 0, .depth = 0};
  for (const counts& of_child : children) sum += of_child;
  return sum;
}

// NOLINTNEXTLINE(misc-no-recursion): the definition
counts plain_search(const tree& rule, const node& top) {
  const std::uint32_t child_count = rule.child_count(top);
  if (child_count == 0) return {.nodes = 1, .leaves = 1, .depth = top.height};
  counts sum{.nodes = 1, .leaves = 0, .depth = 0};
  for (std::uint32_t index = 0; index < child_count; ++index) {
    sum += plain_search(rule, rule.child(top, index));
  }
  return sum;
}

kit::description workload::describe() {
  kit::description description = kit::description_of("uts");
  description.parameters.front().domain = tree_names();
  return description;
}

workload::input workload::prepare(const kit::parameters& chosen) {
  const tree_parameters parameters{
      .type = chosen.choice_as<tree_type>("type"),
      .shape = chosen.choice_as<tree_shape>("shape"),
      .depth = chosen.integer<std::uint32_t>("depth"),
      .b0 = chosen.real("b0"),
      .seed = chosen.integer<std::uint32_t>("seed"),
      .q = chosen.real("q"),
      .m = chosen.integer<std::uint32_t>("m"),
      .shift = chosen.real("shift"),
  };
  return {.rule = tree(parameters, chosen.integer<std::uint32_t>("granularity")),
          .children = chosen.choice_as<child_tasks>("children")};
}

std::optional<bool> workload::verify(const input& in, const output& out) {
  const std::optional<counts> known = known_counts(in.rule.chosen());
  if (!known) return std::nullopt;
  return out == *known;
}

}  // namespace stealbench::uts
