// `stealbench simulate --profile`: a profile is read, and written as it was read.
#include "schedulers/virtual_machine/profile.hpp"

#include <stdexcept>

#include <nlohmann/json.hpp>

#include "verify/fuzz/input.hpp"

void stealbench::fuzz::try_input(const std::string& text) {
  const auto read = virtual_machine::profile_of(virtual_machine::parse_profile(text));
  const auto written = virtual_machine::json_of(read);
  if (virtual_machine::json_of(virtual_machine::profile_of(written)) != written) {
    throw std::logic_error("a profile that is written is not the one that is read");
  }
}
