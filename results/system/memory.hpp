// How much memory this process can still get, so that it asks before it takes.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace stealbench::system {

/// Where the system shows itself; elsewhere for tests.
struct memory_files {
  std::filesystem::path proc = "/proc";
  std::filesystem::path cgroup = "/sys/fs/cgroup";
};

/// Bytes of address space that the limit of this process leaves (`ulimit -v`); none without one.
[[nodiscard]] std::optional<double> address_space_left(const memory_files& where = {});

/// Bytes that this process could use without swapping or being killed: what the machine, its
/// control groups and its own limit leave. None where the system does not say.
[[nodiscard]] std::optional<double> memory_left(const memory_files& where = {});

/// `95.4 GiB`, of bytes; whole below a KiB.
[[nodiscard]] std::string bytes_in_words(double bytes);

}  // namespace stealbench::system
