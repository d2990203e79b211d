#include "workloads/recursive/health/health.hpp"

#include <array>

namespace stealbench::health {
namespace {

struct published_census {
  country_shape shape;
  /// After 365 steps; of the stay only the rounded mean is published. The fingerprint is that of
  /// our sequential version, whose census is the published one.
  census counted;
};

constexpr std::uint64_t published_steps = 365;

constexpr std::array<published_census, 4> published_inputs{{
    {{.levels = 3, .cities = 18, .seed = 23},
     {7280, 343, 5531, 7160, 80, 26, 14, 0, 0x00b5bc6f3420bde8}},
    {{.levels = 4, .cities = 18, .seed = 23},
     {131200, 6175, 96718, 128997, 1406, 525, 272, 0, 0x85a8410e627503c6}},
    {{.levels = 4, .cities = 36, .seed = 23},
     {988000, 47989, 721934, 971855, 10249, 3901, 1995, 0, 0x68a167f0386c546b}},
    {{.levels = 5, .cities = 24, .seed = 23},
     {7238720, 346201, 5267413, 7121156, 73923, 28969, 14672, 0, 0x4edff316bbf0f8dd}},
}};

void simulate(country& people, std::uint64_t steps) {
  for (std::uint64_t done = 0; done < steps; ++done) plain_step(people, 0);
}

std::optional<census> published(const country_shape& shape, std::uint64_t steps) {
  for (const published_census& known : published_inputs) {
    if (known.shape == shape && steps == published_steps) return known.counted;
  }
  return std::nullopt;
}

}  // namespace

// NOLINTNEXTLINE(misc-no-recursion): the definition
void plain_step(country& in, std::uint64_t index) {
  village& current = in.at(index);
  if (current.level > 1) {
    const std::uint64_t first = in.first_below(index);
    for (std::uint64_t below = first; below < first + in.shape().cities; ++below) {
      plain_step(in, below);
    }
  }
  treat(current);
  admit(current, in.below(index));
}

workload::input workload::prepare(const kit::parameters& chosen) {
  country_shape shape{.levels = chosen.integer<std::uint32_t>("levels"),
                      .cities = chosen.integer<std::uint32_t>("cities"),
                      .seed = chosen.integer<std::uint32_t>("seed")};
  // Twice: without a published answer, `verify` simulates a second country.
  kit::require_memory("cities", shape.cities, [shape](std::uint64_t cities) {
    country_shape resized = shape;
    resized.cities = static_cast<std::uint32_t>(cities);
    return 2 * resized.bytes();
  });
  const std::uint64_t steps = chosen.integer("steps");
  return {.people = country(shape),
          .steps = steps,
          .serial_levels = chosen.integer<std::uint32_t>("grain"),
          .expected = std::nullopt};
}

workload::output workload::sequential(input& in) {
  simulate(in.people, in.steps);
  return {};
}

std::optional<bool> workload::verify(const input& in, const output& /*unused*/) {
  census found = in.people.count();
  const country_shape& shape = in.people.shape();
  if (const std::optional<census> known = published(shape, in.steps)) {
    found.stay = 0;
    return found == *known;
  }
  if (!in.expected) {
    country again(shape);
    simulate(again, in.steps);
    in.expected = again.count();
  }
  return found == *in.expected;
}

nlohmann::ordered_json workload::answer(const input& in, const output& /*unused*/) {
  const census found = in.people.count();
  return {{"population", found.population}, {"hospitals", found.hospitals},
          {"check_ins", found.check_ins},   {"healthy", found.healthy},
          {"waiting", found.waiting},       {"assessed", found.assessed},
          {"treated", found.treated},       {"stay", found.stay}};
}

std::uint64_t workload::fork_count(const input& in, const output& /*unused*/) {
  country_shape spawning = in.people.shape();
  if (spawning.levels <= in.serial_levels) return 0;
  spawning.levels -= in.serial_levels - 1;
  return in.steps * (spawning.village_count() - 1);
}

}  // namespace stealbench::health
