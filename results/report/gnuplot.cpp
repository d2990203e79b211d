#include "results/report/gnuplot.hpp"

#include <filesystem>
#include <future>
#include <system_error>

#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/process/args.hpp>
#include <boost/process/async.hpp>
#include <boost/process/child.hpp>
#include <boost/process/exe.hpp>
#include <boost/process/io.hpp>
#include <boost/process/search_path.hpp>
#include <fmt/format.h>

namespace stealbench::report {
namespace {

namespace process = boost::process;

std::filesystem::path find_gnuplot() {
  std::filesystem::path found = process::search_path("gnuplot");
  if (found.empty()) {
    throw plot_error(
        "no gnuplot on the PATH, and it draws the plots; the package gnuplot-nox "
        "has it, and .ci/install installs that");
  }
  return found;
}

}  // namespace

std::string run_gnuplot(std::string_view script, const std::string& program) {
  const std::filesystem::path executable =
      program.empty() ? find_gnuplot() : std::filesystem::path(program);
  // All three streams at once, lest one fills while another is waited for.
  boost::asio::io_context streams;
  std::future<std::string> output;
  std::future<std::string> errors;
  int status = 0;
  try {
    process::child gnuplot(
        process::exe = executable, process::args = {"-d"},
        process::std_in<boost::asio::buffer(script.data(), script.size()), process::std_out> output,
        process::std_err > errors, streams);
    streams.run();
    gnuplot.wait();
    status = gnuplot.exit_code();
  } catch (const process::process_error& error) {
    throw plot_error(fmt::format("cannot run {}: {}", executable.string(), error.what()));
  }
  std::string drawn = output.get();
  const std::string words = errors.get();
  if (status != 0 || drawn.empty()) {
    throw plot_error(fmt::format("gnuplot failed with status {}: {}", status, words));
  }
  return drawn;
}

std::string quoted_for_gnuplot(std::string_view text) {
  std::string quoted = "'";
  for (const char each : text) {
    const auto byte = static_cast<unsigned char>(each);
    if (each == '\'') quoted += '\'';  // A quote inside of quotes is written twice.
    quoted += byte < 0x20U || byte == 0x7FU ? ' ' : each;
  }
  return quoted + '\'';
}

}  // namespace stealbench::report
