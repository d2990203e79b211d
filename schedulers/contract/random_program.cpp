#include "schedulers/contract/random_program.hpp"

#include <cstdlib>
#include <ostream>
#include <utility>

#include <rapidcheck.h>

#include "schedulers/random.hpp"

namespace stealbench::schedulers::contract {
namespace {

// The same programs in every run; RC_PARAMS from outside goes first.
const bool has_parameters = ::setenv("RC_PARAMS", "seed=20261121 max_success=300", 0) == 0;

constexpr int acts = 9;

program grown(rc::Random& random, int depth) {
  const auto one_in = [&](std::uint64_t times) { return random.next() % times == 0; };
  program node;
  node.throws_first = one_in(32);
  node.throws_last = one_in(48);
  if (depth == 0) return node;
  node.does = static_cast<act>(random.next() % acts);
  if (node.does == act::compute) return node;
  if (node.does == act::abandoned_group && !one_in(8)) node.does = act::group;
  const bool in_two = node.does == act::fork || node.does == act::swallow;
  std::uint64_t parts = in_two ? 2 : random.next() % 5;
  if (node.does == act::group_and_forks) parts += 3;
  for (std::uint64_t i = 0; i < parts; ++i) node.parts.push_back(grown(random, depth - 1));
  return node;
}

// Smaller programs of the same kind, the smallest first.
std::vector<program> smaller(const program& than) {
  std::vector<program> found = than.parts;
  const auto change = [&](auto&& how) {
    program changed = than;
    how(changed);
    found.push_back(std::move(changed));
  };
  if (than.does != act::compute) change([](program& p) { p = {.parts = {}}; });
  if (than.throws_first) change([](program& p) { p.throws_first = false; });
  if (than.throws_last) change([](program& p) { p.throws_last = false; });
  for (std::size_t i = 0; i < than.parts.size(); ++i) {
    const auto at = static_cast<std::ptrdiff_t>(i);
    change([at](program& p) { p.parts.erase(p.parts.begin() + at); });
    for (program& part : smaller(than.parts[i])) {
      change([&](program& p) { p.parts[i] = std::move(part); });
    }
  }
  return found;
}

rc::Gen<program> any_program() {
  return rc::Gen<program>([](const rc::Random& random, int size) {
    rc::Random source = random;
    return rc::shrinkable::shrinkRecur(grown(source, 3 + size / 16), [](const program& failing) {
      return rc::seq::fromContainer(smaller(failing));
    });
  });
}

struct outcome {
  std::uint64_t value = 0;
  std::optional<unsigned> thrown;
};

outcome add_meaning(const program& whole, std::uint64_t name, observation& ran);

outcome meaning_of_group_and_forks(const program& whole, std::uint64_t name, observation& ran) {
  const auto meaning_of_part = [&](std::uint64_t index) {
    return add_meaning(whole.part(index), name_of_part(name, index), ran);
  };
  outcome all;
  for (std::uint64_t i = 0; i < whole.parts.size(); i += 3) {
    const outcome child = meaning_of_part(i);
    if (!all.thrown) all.thrown = child.thrown;
    if (!child.thrown) all.value += child.value;
    if (i + 1 == whole.parts.size()) break;
    const outcome left = meaning_of_part(i + 1);
    const outcome right = meaning_of_part(i + 2);
    const std::optional<unsigned> thrown = left.thrown ? left.thrown : right.thrown;
    all.value += thrown ? *thrown : left.value * 3 + right.value;
  }
  return all;
}

outcome meaning_of_parts(const program& whole, std::uint64_t name, observation& ran) {
  if (whole.does == act::compute) return {mix(name), std::nullopt};
  if (whole.does == act::group_and_forks) return meaning_of_group_and_forks(whole, name, ran);
  outcome all;
  const bool in_two = whole.does == act::fork || whole.does == act::swallow;
  const std::uint64_t count = in_two ? 2 : whole.parts.size();
  for (std::uint64_t i = 0; i < count; ++i) {
    const outcome each = add_meaning(whole.part(i), name_of_part(name, i), ran);
    if (whole.does == act::loop) {
      all.value += each.thrown ? *each.thrown : each.value;
      continue;
    }
    if (!each.thrown)
      all.value = in_two || whole.does == act::sequence ? all.value * 3 + each.value
                                                        : all.value + each.value;
    if (!all.thrown) all.thrown = each.thrown;
    if (all.thrown && whole.does == act::sequence) break;
  }
  if (whole.does == act::abandoned_group) return {0, thrown_at(name, moment::before_sync)};
  if (whole.does == act::unsynced_group) all.thrown.reset();
  if (whole.does == act::swallow && all.thrown) return {*all.thrown, std::nullopt};
  return all;
}

outcome add_meaning(const program& whole, std::uint64_t name, observation& ran) {
  ran.names += mix(name);
  ++ran.closures;
  if (whole.throws_first) return {0, thrown_at(name, moment::first)};
  outcome all = meaning_of_parts(whole, name, ran);
  if (!all.thrown && whole.throws_last) all.thrown = thrown_at(name, moment::last);
  return all;
}

}  // namespace

const program& program::part(std::uint64_t index) const {
  static const program empty;
  return index < parts.size() ? parts[index] : empty;
}

std::uint64_t mix(std::uint64_t value) { return mixed(value + golden_gamma); }

unsigned thrown_at(std::uint64_t name, moment when) {
  return static_cast<unsigned>(mix(3 * name + static_cast<std::uint64_t>(when)));
}

observation meaning(const program& whole) {
  observation seen;
  const outcome all = add_meaning(whole, name_of_root, seen);
  seen.thrown = all.thrown;
  if (!all.thrown) seen.value = all.value;
  return seen;
}

void showValue(const program& shown, std::ostream& to) {
  constexpr const char* names[acts] = {"compute",         "sequence", "fork",
                                       "swallow",         "group",    "unsynced_group",
                                       "abandoned_group", "loop",     "group_and_forks"};
  if (shown.throws_first) to << "throw, ";
  to << names[static_cast<std::size_t>(shown.does)];
  if (!shown.parts.empty()) {
    to << '(';
    for (const program& part : shown.parts) {
      showValue(part, to);
      if (&part != &shown.parts.back()) to << "; ";
    }
    to << ')';
  }
  if (shown.throws_last) to << ", throw";
}

void showValue(const observation& shown, std::ostream& to) {
  to << shown.closures << " closures, names " << shown.names;
  if (shown.thrown) {
    to << ", thrown " << *shown.thrown;
  } else {
    to << ", value " << shown.value;
  }
}

bool shows_what_programs_mean(const std::function<observation(const program&)>& run) {
  return has_parameters && rc::check([&run] {
           const program subject = *any_program();
           RC_ASSERT(run(subject) == meaning(subject));
         });
}

}  // namespace stealbench::schedulers::contract
