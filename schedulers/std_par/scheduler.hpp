// std::execution::par: std::for_each, which libstdc++ runs on oneTBB.
//
// The trap: it is a loop and nothing else. A fork is a loop over two closures; a spawn waits until
// the sync, where all children are one loop. An exception that leaves a closure ends the process,
// so each keeps its own. An iterator of std::views::iota is a C++17 input iterator, over which the
// loop would be serial without a word. There is no grain, hence a loop over pieces; and no number
// of threads, hence an arena of oneTBB.
#pragma once

#include <algorithm>
#include <cstddef>
#include <execution>
#include <string>
#include <string_view>

#include <boost/iterator/counting_iterator.hpp>

#include "schedulers/adapters/deferred_group.hpp"
#include "schedulers/adapters/pieces.hpp"
#include "schedulers/description.hpp"
#include "schedulers/onetbb/scheduler.hpp"
#include "schedulers/outcome.hpp"
#include "schedulers/scheduler.hpp"

namespace stealbench::std_par {

/// TBB finds the calling thread's arena by itself, so the handle is empty.
class worker {
 public:
  explicit worker(const tbb::task_group_context& /*of_arena*/) {}
  const worker* operator->() const { return this; }

  template <class F, class G>
  auto fork_join(F&& f, G&& g) const {
    schedulers::outcome<schedulers::result_of<F&, worker>> first;
    schedulers::outcome<schedulers::result_of<G&, worker>> second;
    for_each(2, [&](std::size_t branch) {
      branch == 0 ? first.capture(f, *this) : second.capture(g, *this);
    });
    return schedulers::take_both(first, second);
  }

  template <class Body>
  void parallel_for(std::size_t first, std::size_t last, std::size_t grain,
                    const Body& body) const {
    schedulers::pieces pieces(first, last, grain);
    for_each(pieces.count(), [&](std::size_t i) { pieces.run(i, i + 1, *this, body); });
    pieces.rethrow();
  }

  [[nodiscard]] schedulers::deferred_group<worker> task_group() const {
    return schedulers::deferred_group<worker>(*this);
  }
  template <class Child>
  void run_all(std::size_t count, const Child& child) const {
    for_each(count, [&](std::size_t index) { child(*this, index); });
  }

 private:
  template <class F>
  static void for_each(std::size_t count, const F& f) {
    using iterator = boost::counting_iterator<std::size_t>;
    std::for_each(std::execution::par, iterator(0), iterator(count), f);
  }
};

class scheduler : public onetbb::scheduler_of<worker> {
 public:
  using scheduler_of::scheduler_of;
  static constexpr std::string_view name = "std-par";
  static schedulers::description describe() {
    return {
        .group = schedulers::group::library,
        .summary = "std::for_each with std::execution::par: a fork is a loop over two closures"};
  }
  static std::string library() {
    return "libstdc++ " + std::to_string(_GLIBCXX_RELEASE) + " on " + scheduler_of::library();
  }
};

static_assert(schedulers::scheduler<scheduler>);

}  // namespace stealbench::std_par
