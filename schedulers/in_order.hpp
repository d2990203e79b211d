// The serial elision of a fork, for a caller that has no worker to share it with.
#pragma once

#include <utility>

#include "schedulers/outcome.hpp"

namespace stealbench::schedulers {

/// Calls f(worker), then g(worker), and returns both results. g runs even if f throws, since in
/// parallel it would have been under way; f's exception is then the one rethrown.
template <class Worker, class F, class G>
[[gnu::always_inline]] inline auto fork_join_in_order(Worker worker, F& f, G& g)
    -> std::pair<result_of<F&, Worker>, result_of<G&, Worker>> {
  using left = result_of<F&, Worker>;
  using right = result_of<G&, Worker>;
  left first = [&]() -> left {
    try {
      return call(f, worker);
    } catch (...) {
      outcome<right>().capture(g, worker);
      throw;
    }
  }();
  return std::pair<left, right>(std::forward<left>(first), call(g, worker));
}

}  // namespace stealbench::schedulers
