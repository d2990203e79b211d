// The options and settings of the central queue alone.
#pragma once

#include <cstdint>
#include <vector>

#include "schedulers/engine/settings.hpp"
#include "schedulers/setting_row.hpp"

namespace stealbench::central_queue {

/// Which job of the shared list an idle worker takes.
enum class taking_order : std::uint8_t {
  fifo,  ///< The oldest: in a fork-join program the largest, as a thief would.
  lifo,  ///< The newest: the smallest, which its owner would reclaim soon.
};

struct options {
  taking_order order = taking_order::fifo;
};

/// In the order of the canonical form.
[[nodiscard]] inline std::vector<schedulers::row> setting_rows() {
  return {engine::split_row(),
          schedulers::row_of("order", "which job an idle worker takes", &options::order,
                             {{"fifo", taking_order::fifo, {.summary = "the oldest"}},
                              {"lifo", taking_order::lifo, {.summary = "the newest"}}})};
}

}  // namespace stealbench::central_queue
