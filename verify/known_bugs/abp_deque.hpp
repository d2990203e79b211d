// The deque of Arora, Blumofe and Plaxton (SPAA 1998), whose indices start over whenever it is
// empty. A thief that slept meanwhile finds the same top as before: the tag tells the two apart.
// Like small_deque, sequentially consistent throughout, as the paper assumes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "schedulers/work_stealing/deque.hpp"
#include "verify/explore.hpp"

#include "verify/relacy_machine.hpp"

namespace stealbench::verify {

/// `Tagged` false is the defect: the tag never changes.
template <class T, const bool& Tagged>
class abp_deque {
 public:
  using value_type = T;
  using steal_result = work_stealing::stolen<T>;

  /// Of fixed size: `max_capacity` alone counts.
  abp_deque(std::size_t initial_capacity, std::size_t max_capacity) : slots_(max_capacity) {
    work_stealing::check_capacities(initial_capacity, max_capacity);
  }

  [[nodiscard]] bool push(T job) {
    const std::uint32_t bottom = bottom_.load(sc);
    if (bottom == slots_.size()) return false;
    slots_[bottom].store(job, sc);
    bottom_.store(bottom + 1, sc);
    return true;
  }

  [[nodiscard]] T pop() {
    std::uint32_t bottom = bottom_.load(sc);
    if (bottom == 0) return nullptr;
    bottom_.store(--bottom, sc);
    T job = slots_[bottom].load(sc);
    std::uint64_t age = age_.load(sc);
    if (bottom > top_of(age)) return job;
    const std::uint64_t anew = start_over(age);
    const bool last = bottom == top_of(age);
    bottom_.store(0, sc);
    if (last && age_.compare_exchange_strong(age, anew, sc, sc)) return job;
    age_.store(anew, sc);  // The deque is empty, so no thief changes it any more.
    return nullptr;
  }

  [[nodiscard]] steal_result steal() {
    using work_stealing::steal_outcome;
    std::uint64_t age = age_.load(sc);
    if (bottom_.load(sc) <= top_of(age)) return {steal_outcome::empty, nullptr};
    T job = slots_[top_of(age)].load(sc);
    if (!age_.compare_exchange_strong(age, age + 1, sc, sc)) return {steal_outcome::lost, nullptr};
    return {steal_outcome::taken, job};
  }

  [[nodiscard]] std::size_t size_hint() const {
    const std::uint32_t top = top_of(age_.load(sc));
    const std::uint32_t bottom = bottom_.load(sc);
    return bottom > top ? bottom - top : 0;
  }
  [[nodiscard]] bool looks_empty() const { return size_hint() == 0; }
  [[nodiscard]] std::size_t capacity() const { return slots_.size(); }

 private:
  static constexpr engine::order sc = engine::order::seq_cst;

  // An age is the tag above the index of the oldest job.
  static constexpr std::uint64_t one_tag = std::uint64_t{1} << 32;
  static std::uint32_t top_of(std::uint64_t age) { return static_cast<std::uint32_t>(age); }
  static std::uint64_t start_over(std::uint64_t age) {
    return age - top_of(age) + (Tagged ? one_tag : 0);
  }

  relacy_machine::atomic<std::uint64_t> age_;     // Written by thieves, and by pop of the last job.
  relacy_machine::atomic<std::uint32_t> bottom_;  // Written by the owner.
  std::vector<relacy_machine::atomic<T>> slots_;  // Written by the owner.
};

}  // namespace stealbench::verify
