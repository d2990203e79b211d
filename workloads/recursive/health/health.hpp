// Simulates the hospitals of a country, step by step: a tree of villages of which each is a task in
// every step, and a join at every level. Of all recursive workloads the one that keeps walking
// through memory, along lists that no longer lie in any order. After Olden and BOTS.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "workloads/workload.hpp"

namespace stealbench::health {

struct patient {
  patient* previous;
  patient* next;
  std::uint32_t seed;       ///< The state of the patient's own random stream.
  std::uint32_t time_left;  ///< Steps until an assessment or a treatment ends.
  std::uint32_t stay;       ///< Steps spent in hospitals.
  std::uint32_t check_ins;  ///< Hospitals visited.
};

/// Patients in the order of their arrival; owns none of them.
class patient_list {
 public:
  [[nodiscard]] patient* first() const { return first_; }

  void append(patient& arriving) {
    arriving.previous = last_;
    arriving.next = nullptr;
    (last_ != nullptr ? last_->next : first_) = &arriving;
    last_ = &arriving;
  }

  /// Requires: the patient is in this list.
  void remove(patient& leaving) {
    (leaving.previous != nullptr ? leaving.previous->next : first_) = leaving.next;
    (leaving.next != nullptr ? leaving.next->previous : last_) = leaving.previous;
  }

 private:
  patient* first_ = nullptr;
  patient* last_ = nullptr;
};

struct village {
  std::uint32_t level;  ///< 1 for a village without others below it.
  bool is_top;
  std::uint32_t free_personnel;
  patient_list healthy;
  patient_list waiting;
  patient_list assessed;
  patient_list treated;
  patient_list sent_up;  ///< For the hospital above, which fetches them: no other writes here.
};

struct country_shape {
  std::uint32_t levels;  ///< At least 1.
  std::uint32_t cities;  ///< Villages below each village of a higher level; at least 1.
  std::uint32_t seed;

  [[nodiscard]] std::uint64_t village_count() const;
  /// Of villages and patients.
  [[nodiscard]] std::uint64_t bytes() const;
  bool operator==(const country_shape&) const = default;
};

/// What is counted at the end.
struct census {
  std::uint64_t population = 0;
  std::uint64_t hospitals = 0;
  std::uint64_t check_ins = 0;
  std::uint64_t healthy = 0;
  std::uint64_t waiting = 0;
  std::uint64_t assessed = 0;
  std::uint64_t treated = 0;
  std::uint64_t stay = 0;  ///< Steps in hospital, of all patients.
  /// A hash of every patient's random stream and steps left: which steps were made. Ours, and no
  /// part of the answer.
  std::uint64_t fingerprint = 0;

  bool operator==(const census&) const = default;
};

/// Village 0 is the top; below village v lie v * cities + 1 to v * cities + cities.
class country {
 public:
  explicit country(const country_shape& shape) : shape_(shape) { populate(); }
  // The lists point into the country itself.
  country(const country&) = delete;
  country& operator=(const country&) = delete;
  country(country&&) = default;
  country& operator=(country&&) = default;
  ~country() = default;

  [[nodiscard]] const country_shape& shape() const { return shape_; }
  [[nodiscard]] village& at(std::uint64_t index) { return villages_[index]; }
  [[nodiscard]] std::uint64_t first_below(std::uint64_t index) const {
    return index * shape_.cities + 1;
  }
  /// None for a village of level 1.
  [[nodiscard]] std::span<village> below(std::uint64_t index);

  /// Brings everybody home and in good health, as at first. O(population).
  void populate();
  /// Counts the lists, not the patients: one who was lost or is in two lists shows. O(population).
  [[nodiscard]] census count() const;

 private:
  void populate(std::uint64_t index, std::uint32_t level);

  country_shape shape_;
  std::vector<village> villages_;
  std::vector<patient> patients_;  ///< By their number, which decides who is admitted first.
};

/// A step's first half, for one village: treatments, assessments and the waiting. Needs nothing of
/// the villages below. O(patients in the hospital).
void treat(village& in);

/// The second half, after the whole step of the villages below: takes in whom they have sent up,
/// then those at home who fall ill. O(patients of the village).
void admit(village& in, std::span<village> below);

/// A step of the village `index` and of all below it, by plain recursion.
void plain_step(country& in, std::uint64_t index);

/// The same, with a spawn for every village above the `serial_levels` lowest levels, and one for
/// each tree that these form. The village itself treats its patients meanwhile. Work O(patients),
/// span O(levels * (cities + patients of the largest village)). Requires: serial_levels >= 1.
template <class Worker>
void step(Worker worker, country& in, std::uint64_t index, std::uint32_t serial_levels) {
  village& current = in.at(index);
  if (current.level <= serial_levels) {
    plain_step(in, index);
    return;
  }
  const std::uint64_t first = in.first_below(index);
  auto group = worker->task_group();
  for (std::uint64_t below = first; below < first + in.shape().cities; ++below) {
    group.spawn([&in, below, serial_levels](Worker w) { step(w, in, below, serial_levels); });
  }
  treat(current);
  group.sync();
  admit(current, in.below(index));
}

struct workload {
  struct input {
    country people;
    std::uint64_t steps;
    std::uint32_t serial_levels;
    /// Published, or simulated by the sequential version when first asked for.
    mutable std::optional<census> expected = std::nullopt;
  };
  struct output {};  ///< The country itself is the result.

  static kit::description describe() { return kit::description_of("health"); }
  static input prepare(const kit::parameters& chosen);
  static void reset(input& in) { in.people.populate(); }

  template <class Worker>
  static output run(Worker worker, input& in) {
    for (std::uint64_t done = 0; done < in.steps; ++done) {
      step(worker, in.people, 0, in.serial_levels);
    }
    return {};
  }

  static output sequential(input& in);
  /// Without a published answer the first call simulates, as long as a serial run.
  static std::optional<bool> verify(const input& in, const output& out);
  /// A step that was made twice.
  static void corrupt(input& in, output& /*unused*/) { plain_step(in.people, 0); }
  static nlohmann::ordered_json answer(const input& in, const output& out);

  /// In each step every village but the top one, above the serial levels or at their head.
  static std::uint64_t fork_count(const input& in, const output& out);
};

}  // namespace stealbench::health
