#include "workloads/recursive/uts/uts.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace stealbench::uts {
namespace {

template <class Enum>
using words_of = std::vector<std::pair<std::string_view, Enum>>;

const words_of<tree_type>& type_words() {
  static const words_of<tree_type> words{{"bin", tree_type::binomial},
                                         {"geo", tree_type::geometric},
                                         {"hybrid", tree_type::hybrid},
                                         {"balanced", tree_type::balanced}};
  return words;
}

const words_of<tree_shape>& shape_words() {
  static const words_of<tree_shape> words{{"linear", tree_shape::linear},
                                          {"expdec", tree_shape::expdec},
                                          {"cyclic", tree_shape::cyclic},
                                          {"fixed", tree_shape::fixed}};
  return words;
}

const words_of<child_tasks>& task_words() {
  static const words_of<child_tasks> words{{"spawn", child_tasks::spawn},
                                           {"loop", child_tasks::loop}};
  return words;
}

template <class Enum>
std::string word_of(const words_of<Enum>& words, Enum wanted) {
  for (const auto& [word, meaning] : words) {
    if (meaning == wanted) return std::string(word);
  }
  return {};
}

template <class Enum>
Enum meaning_of(const words_of<Enum>& words, std::string_view wanted) {
  for (const auto& [word, meaning] : words) {
    if (word == wanted) return meaning;
  }
  throw kit::bad_input(fmt::format("unknown word '{}'", wanted));
}

template <class Enum>
kit::choice_domain choice_of(const words_of<Enum>& words, Enum standard) {
  kit::choice_domain domain{.words = {}, .standard = word_of(words, standard)};
  for (const auto& [word, meaning] : words) domain.words.emplace_back(word);
  return domain;
}

/// The parameters that a published name stands for, as a user would type them.
std::vector<kit::assignment> assignments_for(const tree_parameters& of) {
  return {{"type", word_of(type_words(), of.type)}, {"shape", word_of(shape_words(), of.shape)},
          {"depth", fmt::format("{}", of.depth)},   {"b0", fmt::format("{}", of.b0)},
          {"seed", fmt::format("{}", of.seed)},     {"q", fmt::format("{}", of.q)},
          {"m", fmt::format("{}", of.m)},           {"shift", fmt::format("{}", of.shift)}};
}

kit::choice_domain tree_names() {
  kit::choice_domain domain{.words = {"custom"}, .standard = "custom"};
  for (const named_tree& known : named_trees()) {
    domain.words.emplace_back(known.name);
    domain.stands_for.emplace(known.name, assignments_for(known.parameters));
  }
  return domain;
}

std::vector<kit::parameter> declared_parameters() {
  constexpr tree_parameters standard;
  using kit::integer_domain;
  using kit::real_domain;
  return {
      {"tree",
       "a published tree, which sets the parameters from type to shift; custom: a tree with their "
       "values",
       tree_names()},
      {"type",
       "distribution of the number of children: binomial, geometric, hybrid (geometric, then "
       "binomial) or balanced",
       choice_of(type_words(), standard.type)},
      {"shape", "how the mean number of children of a geometric tree depends on the height",
       choice_of(shape_words(), standard.shape)},
      {"depth",
       "depth limit of geometric, hybrid and balanced trees [levels]; with shape=cyclic the period",
       integer_domain{.least = 0, .most = 100'000, .standard = standard.depth}},
      {"b0", "branching factor of the root",
       real_domain{.least = 0, .most = 1e6, .standard = standard.b0}},
      {"seed", "seed of the root",
       integer_domain{.least = 0, .most = 0xffffffff, .standard = standard.seed}},
      {"q", "probability that a binomial node has children",
       real_domain{.least = 0, .most = 1, .standard = standard.q}},
      {"m", "number of children of a binomial node that has any, at most 100",
       integer_domain{.least = 0, .most = 1000, .standard = standard.m}},
      {"shift", "fraction of the depth at which a hybrid tree becomes binomial",
       real_domain{.least = 0, .most = 1, .standard = standard.shift}},
      {"granularity",
       "number of SHA-1 computations per child, which scales the work per node, not the tree",
       integer_domain{.least = 1, .most = 1'000'000, .standard = 1}},
      {"children",
       "tasks of a node's children: spawn (a spawn for each) or loop (a parallel loop over them)",
       choice_of(task_words(), child_tasks::spawn)},
  };
}

}  // namespace

counts sum_of(std::span<const counts> children) {
  counts sum{.nodes = 1, .leaves = 0, .depth = 0};
  for (const counts& of_child : children) {
    sum.nodes += of_child.nodes;
    sum.leaves += of_child.leaves;
    sum.depth = std::max(sum.depth, of_child.depth);
  }
  return sum;
}

// NOLINTNEXTLINE(misc-no-recursion): the definition
counts plain_search(const tree& rule, const node& top) {
  const std::uint32_t child_count = rule.child_count(top);
  if (child_count == 0) return {.nodes = 1, .leaves = 1, .depth = top.height};
  counts sum{.nodes = 1, .leaves = 0, .depth = 0};
  for (std::uint32_t index = 0; index < child_count; ++index) {
    const counts of_child = plain_search(rule, rule.child(top, index));
    sum.nodes += of_child.nodes;
    sum.leaves += of_child.leaves;
    sum.depth = std::max(sum.depth, of_child.depth);
  }
  return sum;
}

kit::description workload::describe() {
  return {
      .name = "uts",
      .summary = "unbalanced tree search: a task for every node of an implicit tree",
      .about = {.shape = "`task_group`, one child per tree node, or with `children=loop` a nested "
                         "`parallel_for` per node; very unbalanced",
                .tasks = "nodes − 1",
                .work = "Θ(nodes)",
                .span = "Θ(depth × widest node) at most",
                .bound_by = "one SHA-1 per node",
                .answer = "nodes, depth and leaves; published values for the published trees",
                .source = "Olivier et al., LCPC 2006",
                .unit = "SHA-1 computation"},
      .parameters = declared_parameters(),
      .sizes = {{"test",
                 {{{"type", "geo"}, {"shape", "fixed"}, {"depth", "5"}, {"seed", "19"}},
                  {{"type", "bin"}, {"b0", "200"}, {"seed", "42"}, {"q", "0.12"}, {"m", "8"}},
                  {{"type", "hybrid"}, {"depth", "5"}, {"b0", "6"}, {"seed", "1"}, {"q", "0.23"}},
                  {{"shape", "fixed"}, {"depth", "7"}, {"seed", "19"}, {"children", "loop"}},
                  {{"type", "bin"},
                   {"b0", "50"},
                   {"seed", "42"},
                   {"q", "0.12"},
                   {"m", "8"},
                   {"children", "loop"}}}},
                {"small",
                 {{{"type", "geo"}, {"shape", "fixed"}, {"depth", "7"}, {"seed", "19"}},
                  {{"type", "bin"}, {"b0", "20"}, {"seed", "42"}, {"q", "0.124875"}, {"m", "8"}}}},
                {"standard", {{{"tree", "T1"}}, {{"tree", "T3"}}}},
                {"large", {{{"tree", "T1L"}}, {{"tree", "T3L"}}}}}};
}

workload::input workload::prepare(const kit::parameters& chosen) {
  const tree_parameters parameters{
      .type = meaning_of(type_words(), chosen.choice("type")),
      .shape = meaning_of(shape_words(), chosen.choice("shape")),
      .depth = static_cast<std::uint32_t>(chosen.integer("depth")),
      .b0 = chosen.real("b0"),
      .seed = static_cast<std::uint32_t>(chosen.integer("seed")),
      .q = chosen.real("q"),
      .m = static_cast<std::uint32_t>(chosen.integer("m")),
      .shift = chosen.real("shift"),
  };
  return {.rule = tree(parameters, static_cast<std::uint32_t>(chosen.integer("granularity"))),
          .children = meaning_of(task_words(), chosen.choice("children"))};
}

std::optional<bool> workload::verify(const input& in, const output& out) {
  const std::optional<counts> known = known_counts(in.rule.chosen());
  if (!known) return std::nullopt;
  return out == *known;
}

nlohmann::ordered_json workload::answer(const input& /*unused*/, const output& out) {
  return {{"nodes", out.nodes}, {"depth", out.depth}, {"leaves", out.leaves}};
}

}  // namespace stealbench::uts
