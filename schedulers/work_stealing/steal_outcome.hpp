// What came of an attempt to steal.
#pragma once

#include <cstdint>

namespace stealbench::work_stealing {

enum class steal_outcome : std::uint8_t {
  taken,  ///< The job is the caller's.
  empty,  ///< There was no job.
  lost    ///< Another thread took the job first; there may be more.
};

}  // namespace stealbench::work_stealing
