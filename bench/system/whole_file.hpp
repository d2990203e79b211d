// Files that are written as a whole or not at all.
#pragma once

#include <filesystem>
#include <string_view>

namespace stealbench::system {

/// Replaces a file as a whole, where its symbolic links lead: a reader, or a crash, sees the old
/// text or the new one. Throws schedulers::bad_input if there is no regular file, which a rename
/// would replace, but a folder, a pipe, a device, or one that this program has open, such as
/// /dev/stdout; and std::system_error, and then leaves the old file alone.
void write_atomically(const std::filesystem::path& name, std::string_view text);

}  // namespace stealbench::system
