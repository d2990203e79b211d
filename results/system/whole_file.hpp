// Files that are written as a whole or not at all.
#pragma once

#include <filesystem>
#include <string_view>
#include <system_error>

#include "results/system/file_descriptor.hpp"

namespace stealbench::system {

/// Replaces a file as a whole: a reader, or a crash, sees the old text or the new one. Throws
/// std::system_error, and then leaves the old file alone.
void write_atomically(const std::filesystem::path& file, std::string_view text);

/// Appends to an open file and brings it to the disk. `name` is for the message. Throws
/// std::system_error; a part of the text may then be there.
void append(const file_descriptor& to, std::string_view text, const std::filesystem::path& name);

/// Tries in its folder whether the file could be written so; an older one is left alone. Throws
/// workloads::bad_input if not.
void expect_writable(const std::filesystem::path& file);

/// The same attempt; the reason if it fails.
[[nodiscard]] std::error_code try_to_write(const std::filesystem::path& file);

}  // namespace stealbench::system
