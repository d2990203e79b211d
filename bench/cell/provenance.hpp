// Where a result comes from: whatever a reader needs to judge or to repeat it.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace stealbench::cell {

/// Key and value pairs, in reading order: commit, compiler, flags, processor, kernel and so on.
/// What cannot be read is "unknown", never left out.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> provenance();

}  // namespace stealbench::cell
