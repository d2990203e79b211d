// What a failing execution did, in words. Knows nothing of Relacy.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "verify/variable_names.hpp"

namespace stealbench::verify {

struct failure {
  std::string claim;        ///< Of an assertion, what should have held.
  step at = {};             ///< Where the execution ended.
  std::vector<step> steps;  ///< The accesses that raced or were refused included.
  std::string trace;        ///< All that Relacy prints.
};

/// What was violated, and where; and the last `count` steps, a line each. `outcome` is Relacy's
/// word.
[[nodiscard]] std::string summary(const std::string& outcome, const failure& failed,
                                  std::size_t count);

}  // namespace stealbench::verify
