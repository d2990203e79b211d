// The simulated country of the workload `health`: villages in a complete tree, each with a
// hospital, and the rules by which its people fall ill, are assessed, treated or sent to the
// hospital above.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

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
  patient_list sent_up;  ///< For the hospital above, which fetches them: nobody else writes here.
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

}  // namespace stealbench::health
