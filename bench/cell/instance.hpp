// The instance of a workload that a command line names.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "schedulers/options.hpp"
#include "workloads/kit/parameters.hpp"

namespace stealbench::cell {

/// The size that the driver says with every cell: an instance of another size would not be alone,
/// where a second one of that size has all its assignments and more.
inline constexpr std::string_view no_size = "none";

/// What the options say, unchecked.
struct instance_options {
  std::string workload;
  std::string size = "standard";
  std::vector<std::string> set;
  std::optional<std::string> variant;  ///< Settings of the scheduler.
  std::size_t stack_mib = schedulers::default_stack_bytes >> 20;
};

[[nodiscard]] std::vector<kit::parameters> instances_of(const kit::description& workload,
                                                        const instance_options& typed);

}  // namespace stealbench::cell
