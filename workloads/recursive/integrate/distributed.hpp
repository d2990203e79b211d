// integrate as a bag of segments. Doubles that are added in another order have another sum: here
// the areas are added as whole numbers of 2^-60, so that the sum is the same in any order.
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>

#include "schedulers/cluster/form.hpp"
#include "workloads/recursive/integrate/integrate.hpp"

namespace stealbench::integrate {

struct distributed : cluster::distributed_defaults<distributed> {
  using workload = integrate::workload;
  using task = segment;
  using known = cluster::nothing_known;
  __extension__ using fixed_point = __int128;
  /// 2^-60: the greatest integral, of 2^65, still fits.
  static constexpr int fraction_bits = 60;
  struct result {
    fixed_point area = 0;
    std::uint64_t forks = 0;
    std::uint64_t leaves = 0;  ///< Segments that are not halved.
  };

  static void begin(const workload::input& in, cluster::stack<task>& tasks) {
    tasks.push(in.whole);
  }
  static void expand(const workload::input& in, const known& /*unused*/, const task& next,
                     cluster::stack<task>& tasks, result& into) {
    const halves half = halved(next);
    if (agrees(next, half, in.epsilon)) {
      into.area += static_cast<fixed_point>(std::ldexp(half.area(), fraction_bits));
      ++into.leaves;
      return;
    }
    ++into.forks;
    tasks.push(half.right(next));
    tasks.push(half.left(next));
  }
  static void merge(result& into, const result& from) {
    into.area += from.area;
    into.forks += from.forks;
    into.leaves += from.leaves;
  }
  static double output_of(const workload::input& /*unused*/, const result& all) {
    return std::ldexp(static_cast<double>(all.area), -fraction_bits);
  }
  /// As many segments as in sequence, and the same area but for rounding, which is another one
  /// there.
  static std::optional<bool> verify(const workload::input& in, const result& all) {
    if (!in.expected) in.expected = measured(in.whole, in.epsilon);
    const double off = output_of(in, all) - in.expected->area;
    return all.forks == in.expected->forks && all.leaves == all.forks + 1 &&
           std::abs(off) <= 1e-12 * in.expected->area;
  }
};

}  // namespace stealbench::integrate
