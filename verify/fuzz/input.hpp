// What libFuzzer calls, and what every target of this room does with an input.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace stealbench::fuzz {

/// Reads the input as the command does that the target is named after. What is refused is refused
/// by kit::bad_input or std::invalid_argument, which the driver shows with exit status 2; any other
/// exception leaves the target, and is a finding.
void try_input(const std::string& text);

/// The input with one change, which `seed` chooses: JSON lines with another value, without a
/// member, or with one twice; so that what is tried gets past the parser.
[[nodiscard]] std::string mutated(const std::string& text, unsigned seed);

}  // namespace stealbench::fuzz
