// The options of the central queue alone.
#pragma once

#include <cstdint>

namespace stealbench::central_queue {

/// Which job of the shared list an idle worker takes.
enum class taking_order : std::uint8_t {
  fifo,  ///< The oldest: in a fork-join program the largest, as a thief would.
  lifo,  ///< The newest: the smallest, which its owner would reclaim soon.
};

struct options {
  taking_order order = taking_order::fifo;
};

}  // namespace stealbench::central_queue
