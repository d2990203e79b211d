// What the operating system's files say of this machine, and of what this process may use of it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace stealbench::system {

/// Where the system shows itself; elsewhere for tests.
struct host_files {
  std::filesystem::path sys = "/sys";
  std::filesystem::path proc = "/proc";
};

/// The first line of a file that begins so; none if there is none or it cannot be read.
[[nodiscard]] std::optional<std::string> first_line(const std::filesystem::path& file,
                                                    std::string_view beginning = {});

/// The number behind the beginning of that line; none if there is none.
[[nodiscard]] std::optional<double> number_in(const std::filesystem::path& file,
                                              std::string_view beginning = {});

/// The same of a size that the file gives in KiB.
[[nodiscard]] std::optional<double> bytes_in(const std::filesystem::path& file,
                                             std::string_view beginning);

/// `AMD EPYC (family 26, model 2)`: hypervisors shorten the name to one of many generations.
/// `unknown` where the system does not say.
[[nodiscard]] std::string processor_model(const std::filesystem::path& file = "/proc/cpuinfo");

/// The largest resident set of this process so far, bytes; 0 where the system does not say.
[[nodiscard]] double peak_rss_bytes();

/// Bytes of address space that may still be reserved: by the limit of this process (`ulimit -v`),
/// and where the kernel overcommits no memory, by what it may commit. None without a limit.
[[nodiscard]] std::optional<double> address_space_left(const host_files& where = {});

/// Bytes that this process could use without swapping or being killed: what the machine, its
/// control groups and its own limit leave. None where the system does not say.
[[nodiscard]] std::optional<double> memory_left(const host_files& where = {});

/// `95.4 GiB`, of bytes; whole below a KiB.
[[nodiscard]] std::string bytes_in_words(double bytes);

}  // namespace stealbench::system
