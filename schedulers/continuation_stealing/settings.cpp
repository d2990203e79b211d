#include "schedulers/engine/settings.hpp"

#include "schedulers/continuation_stealing/options.hpp"
#include "schedulers/work_stealing/every_deque.hpp"
#include "schedulers/work_stealing/options.hpp"

namespace stealbench::continuation_stealing {

std::vector<schedulers::row> setting_rows() {
  using schedulers::described;
  return {schedulers::deque_row("the deque in which a worker keeps the rests of parents",
                                work_stealing::deques::every_of_continuations<described>::values()),
          work_stealing::victim_row(), engine::idle_row()};
}

}  // namespace stealbench::continuation_stealing
