#pragma once

#include <string>

namespace stealbench::driver {

/// Name, version and commit: `stealbench 0.1.0 (commit 0123456789ab)`.
[[nodiscard]] std::string version_text();

/// Of the sources that this program was built from.
[[nodiscard]] std::string commit();

}  // namespace stealbench::driver
