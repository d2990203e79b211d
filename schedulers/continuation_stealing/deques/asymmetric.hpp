// `deque=asymmetric`.
#pragma once

#include <string_view>

#include "schedulers/continuation_stealing/policy.hpp"
#include "schedulers/work_stealing/protocols/asymmetric_deque.hpp"

namespace stealbench::continuation_stealing::deques {

/// Forks and joins pass no fence. A steal takes a system call, once for up to half of the deque,
/// which interrupts all processors that run the process.
struct asymmetric {
  static constexpr std::string_view name = "asymmetric";
  template <class T, class M>
  using deque = work_stealing::asymmetric_deque<T, M>;
  template <class M>
  using scheduler_on = scheduler_over<asymmetric, M>;
  using scheduler = scheduler_on<engine::std_machine>;
};

static_assert(schedulers::scheduler<scheduler_over<asymmetric>>);

}  // namespace stealbench::continuation_stealing::deques
