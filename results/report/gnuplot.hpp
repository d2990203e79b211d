// gnuplot as a child process.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace stealbench::report {

/// gnuplot is missing, or did not do what its script says.
class plot_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// What gnuplot writes to its standard output when it reads this script. It sees no start-up file
/// of the user's. Throws plot_error if there is no gnuplot on the PATH (or no executable
/// file `program`), and with gnuplot's own words if it fails. Not for two threads at once.
[[nodiscard]] std::string run_gnuplot(std::string_view script,
                                      const std::string& program = "gnuplot");

/// A text as a gnuplot script writes it: in single quotes, inside of which nothing is substituted.
/// Control characters become spaces.
[[nodiscard]] std::string quoted_for_gnuplot(std::string_view text);

}  // namespace stealbench::report
