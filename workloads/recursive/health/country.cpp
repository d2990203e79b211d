#include <algorithm>

#include "schedulers/random.hpp"
#include "workloads/recursive/health/health.hpp"

namespace stealbench::health {
namespace {

// The rules, with the values of all four published inputs.
constexpr std::uint32_t people_per_doctor = 10;
constexpr std::uint32_t assessment_steps = 2;
constexpr std::uint32_t treatment_steps = 12;
constexpr float falls_ill = 0.002F;
constexpr float needs_treatment = 0.100F;
constexpr float is_sent_up = 0.150F;

/// Park and Miller's minimal standard generator by Schrage's method, with the seed masked and, as
/// in the published simulation, multiplied once more by the modulus, in 32 bits. A number in [0,
/// 1).
float next_random(std::uint32_t& seed) {
  constexpr std::int32_t multiplier = 16807;
  constexpr std::int32_t modulus = 2147483647;
  constexpr std::int32_t quotient = 127773;
  constexpr std::int32_t remainder = 2836;
  constexpr std::uint32_t mask = 123459876;
  const auto state = static_cast<std::int32_t>(seed ^ mask);
  const std::int32_t k = state / quotient;
  const std::int32_t product = multiplier * (state - k * quotient) - remainder * k;
  auto unmasked = static_cast<std::int32_t>(static_cast<std::uint32_t>(product) ^ mask);
  if (unmasked < 0) unmasked += modulus;
  seed = static_cast<std::uint32_t>(unmasked) * static_cast<std::uint32_t>(modulus);
  return static_cast<float>(1.0 / modulus) * static_cast<float>(unmasked);
}

std::uint32_t doctors_at(std::uint32_t level) { return std::uint32_t{1} << level; }

/// Requires: free personnel.
void assess(village& in, patient& ill) {
  --in.free_personnel;
  ill.time_left = assessment_steps;
  ill.stay += assessment_steps;
  in.assessed.append(ill);
}

void check_in(village& in, patient& ill) {
  ++ill.check_ins;
  if (in.free_personnel > 0) {
    assess(in, ill);
  } else {
    in.waiting.append(ill);
  }
}

/// Where a patient goes whose assessment has ended.
void decide(village& in, patient& assessed) {
  in.assessed.remove(assessed);
  if (next_random(assessed.seed) >= needs_treatment) {
    ++in.free_personnel;
    in.healthy.append(assessed);
  } else if (next_random(assessed.seed) > is_sent_up || in.is_top) {
    assessed.time_left = treatment_steps;
    assessed.stay += treatment_steps;
    in.treated.append(assessed);
  } else {
    ++in.free_personnel;
    in.sent_up.append(assessed);
  }
}

/// Calls `visit` for each patient, who may leave the list meanwhile.
template <class Visit>
void for_each(const patient_list& list, const Visit& visit) {
  for (patient* each = list.first(); each != nullptr;) {
    patient* const next = each->next;
    visit(*each);
    each = next;
  }
}

}  // namespace

std::uint64_t country_shape::village_count() const {
  std::uint64_t count = 0;
  for (std::uint32_t level = 0; level < levels; ++level) count = count * cities + 1;
  return count;
}

std::uint64_t country_shape::bytes() const {
  std::uint64_t bytes = 0;
  std::uint64_t villages = 1;
  for (std::uint32_t level = levels; level > 0; --level) {
    bytes += villages * (sizeof(village) +
                         sizeof(patient) * people_per_doctor * std::uint64_t{doctors_at(level)});
    villages *= cities;
  }
  return bytes;
}

std::span<village> country::below(std::uint64_t index) {
  if (villages_[index].level == 1) return {};
  return std::span(villages_).subspan(first_below(index), shape_.cities);
}

void country::populate() {
  villages_.assign(shape_.village_count(), village{});
  patients_.clear();
  patients_.reserve((shape_.bytes() - villages_.size() * sizeof(village)) / sizeof(patient));
  populate(0, shape_.levels);
}

// Numbers the patients as published: a village, then those below it from the last to the first.
// NOLINTNEXTLINE(misc-no-recursion): the definition
void country::populate(std::uint64_t index, std::uint32_t level) {
  village& home = villages_[index];
  home.level = level;
  home.is_top = index == 0;
  home.free_personnel = doctors_at(level);
  std::uint32_t seed = static_cast<std::uint32_t>(index) * (127773 + shape_.seed);
  for (std::uint32_t i = 0; i < doctors_at(level) * people_per_doctor; ++i) {
    patient& born = patients_.emplace_back(patient{});
    born.seed = seed;
    home.healthy.append(born);
    next_random(seed);
  }
  if (level == 1) return;
  for (std::uint64_t city = shape_.cities; city > 0; --city) {
    populate(index * shape_.cities + city, level - 1);
  }
}

census country::count() const {
  census sum{.hospitals = villages_.size()};
  const auto add = [&sum](const patient_list& list, std::uint64_t& found) {
    for_each(list, [&](const patient& each) {
      ++found;
      ++sum.population;
      sum.check_ins += each.check_ins;
      sum.stay += each.stay;
    });
  };
  for (const village& each : villages_) {
    add(each.healthy, sum.healthy);
    add(each.waiting, sum.waiting);
    add(each.assessed, sum.assessed);
    add(each.treated, sum.treated);
  }
  for (const patient& each : patients_) {
    sum.fingerprint = schedulers::mixed((sum.fingerprint + schedulers::golden_gamma) ^
                                        (std::uint64_t{each.seed} << 32 | each.time_left));
  }
  return sum;
}

void treat(village& in) {
  for_each(in.treated, [&in](patient& each) {
    if (--each.time_left > 0) return;
    ++in.free_personnel;
    in.treated.remove(each);
    in.healthy.append(each);
  });
  for_each(in.assessed, [&in](patient& each) {
    if (--each.time_left == 0) decide(in, each);
  });
  for_each(in.waiting, [&in](patient& each) {
    if (in.free_personnel == 0) {
      ++each.stay;
      return;
    }
    in.waiting.remove(each);
    assess(in, each);
  });
}

void admit(village& in, std::span<village> below) {
  patient_list arriving;
  for (village& each : below) {
    for_each(each.sent_up, [&](patient& sent) {
      each.sent_up.remove(sent);
      arriving.append(sent);
    });
  }
  // By their numbers, so that it does not matter in which order they were fetched.
  while (arriving.first() != nullptr) {
    patient* lowest = arriving.first();
    for_each(arriving, [&lowest](patient& each) { lowest = std::min(lowest, &each); });
    arriving.remove(*lowest);
    check_in(in, *lowest);
  }
  for_each(in.healthy, [&in](patient& each) {
    if (next_random(each.seed) >= falls_ill) return;
    in.healthy.remove(each);
    check_in(in, each);
  });
}

}  // namespace stealbench::health
