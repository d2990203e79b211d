// `deque=chase-lev`.
#pragma once

#include <string_view>

#include "schedulers/continuation_stealing/policy.hpp"
#include "schedulers/work_stealing/protocols/chase_lev_deque.hpp"

namespace stealbench::continuation_stealing::deques {

/// A join passes a fence. A steal is one exchange.
struct chase_lev {
  static constexpr std::string_view name = "chase-lev";
  template <class T, class M>
  using deque = work_stealing::chase_lev_deque<T, M>;
  template <class M>
  using scheduler_on = scheduler_over<chase_lev, M>;
  using scheduler = scheduler_on<engine::std_machine>;
};

static_assert(schedulers::scheduler<scheduler_over<chase_lev>>);

}  // namespace stealbench::continuation_stealing::deques
