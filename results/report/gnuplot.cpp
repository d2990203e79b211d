#include "results/report/gnuplot.hpp"

#include <system_error>

#include <fmt/format.h>

#include "results/report/format.hpp"
#include "results/system/process.hpp"

namespace stealbench::report {

std::string run_gnuplot(std::string_view script, const std::string& program) {
  system::process_runner runner;
  // -d: no start-up file of the user's.
  const system::process_request request{
      .executable = program, .arguments = {"-d"}, .timeout = {}, .input = std::string(script)};
  system::process_result result;
  try {
    result = runner.run(request);
  } catch (const std::system_error& error) {
    throw plot_error(
        fmt::format("{}; gnuplot draws the plots: the package gnuplot-nox has it, and .ci/install "
                    "installs that",
                    error.what()));
  }
  if (result.how != system::ending::exited || result.status != 0 || result.output.empty()) {
    throw plot_error(
        fmt::format("gnuplot: {}: {}", system::describe_ending(result), result.errors));
  }
  return result.output;
}

std::string quoted_for_gnuplot(std::string_view text) {
  std::string quoted = "'";
  for (const char each : on_one_line(text)) {
    if (each == '\'') quoted += '\'';  // A quote inside of quotes is written twice.
    quoted += each;
  }
  return quoted + '\'';
}

}  // namespace stealbench::report
