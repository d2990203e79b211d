// What reads a file of a user's in a process of the suite: a profile.
#pragma once

#include <string>

namespace stealbench::fuzz {

/// Reads the input as a simulated process does. What is refused is refused by
/// std::invalid_argument, which ends with exit status 2; any other exception leaves it, and is a
/// finding. True if the profile was read.
bool try_profile(const std::string& text);

/// The input with one change, which `seed` chooses: another value, without a member, or with one
/// twice; so that what is tried gets past the parser.
[[nodiscard]] std::string mutated(const std::string& text, unsigned seed);

}  // namespace stealbench::fuzz
