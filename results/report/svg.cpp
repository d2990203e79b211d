#include "results/report/svg.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <system_error>
#include <utility>

#include <boost/regex.hpp>
#include <fmt/format.h>

#include "results/report/format.hpp"
#include "results/system/process.hpp"

namespace stealbench::report {
namespace {

/// The value of viewBox and what follows the head: gnuplot writes the size, a title, a description.
std::pair<std::string, std::string> split(std::string_view drawn) {
  constexpr std::string_view last_of_head = "</desc>";
  static const boost::regex box("viewBox=\"([^\"]*)\"");
  const std::size_t head = drawn.find(last_of_head);
  const std::size_t end = drawn.rfind("</svg>");
  boost::cmatch found;
  if (head == std::string_view::npos || end == std::string_view::npos || head > end ||
      !boost::regex_search(drawn.data(), drawn.data() + head, found, box)) {
    throw std::invalid_argument("not a drawing of gnuplot's svg terminal");
  }
  const std::size_t body = head + last_of_head.size();
  return {found[1].str(), std::string(drawn.substr(body, end - body))};
}

}  // namespace

std::string run_gnuplot(std::string_view script, const std::string& program,
                        std::chrono::milliseconds limit) {
  system::process_runner runner;
  // -d: no start-up file of the user's.
  const system::process_request request{
      .executable = program, .arguments = {"-d"}, .timeout = limit, .input = std::string(script)};
  system::process_result result;
  try {
    result = runner.run(request);
  } catch (const std::system_error& error) {
    throw plot_error(
        fmt::format("{}; gnuplot draws the plots: the package gnuplot-nox has it, and .ci/install "
                    "installs that",
                    error.what()));
  }
  if (result.how == system::ending::timed_out) {
    throw plot_error(fmt::format("gnuplot did not end within {:g} s and was killed",
                                 std::chrono::duration<double>(limit).count()));
  }
  if (result.output_was_cut) throw plot_error("gnuplot wrote more than 4 MiB for one plot");
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

std::string escape_html(std::string_view text) {
  constexpr std::array<std::pair<char, std::string_view>, 5> markup{
      {{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}, {'\'', "&#39;"}}};
  std::string escaped;
  for (const char each : on_one_line(text)) {
    const auto found = std::find_if(markup.begin(), markup.end(),
                                    [=](const auto& known) { return known.first == each; });
    escaped += found == markup.end() ? std::string_view(&each, 1) : found->second;
  }
  return escaped;
}

std::string embeddable(std::string_view drawn, std::string_view id, const text_alternative& words) {
  static const boost::regex valid_id("[A-Za-z][A-Za-z0-9-]*");
  if (!boost::regex_match(id.begin(), id.end(), valid_id)) {
    throw std::invalid_argument(fmt::format("'{}' is no id of a drawing", id));
  }
  auto [box, body] = split(drawn);
  // gnuplot adds filters for boxes behind text, which no plot here has, and titles such as
  // "gnuplot_plot_1", which would show under the pointer.
  const std::array<std::pair<const char*, std::string>, 5> steps{
      {{"<filter.*?</filter>|<title>[^<]*</title>", ""},
       {"(?:xlink:)?(\\bid=['\"]|href='#)", fmt::format("$1{}-", id)},
       {" color=\"(black|white)\"|\\bcolor='rgb\\(  0,   0,   0\\)'", ""},
       {"(= ?(['\"]))(black|rgb\\( *0, *0, *0\\))\\2", "$1currentColor$2"},
       {"stroke='rgb\\(  1,   2,   3\\)'", "stroke='currentColor' stroke-opacity='0.15'"}}};
  for (const auto& [from, into] : steps)
    body = boost::regex_replace(body, boost::regex(from), into);
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"plot\" viewBox=\"{0}\" role=\"img\" "
      "aria-labelledby=\"{1}-title {1}-description\">\n<title id=\"{1}-title\">{2}</title>\n"
      "<desc id=\"{1}-description\">{3}</desc>\n{4}</svg>\n",
      box, id, escape_html(words.title), escape_html(words.description), body);
}

}  // namespace stealbench::report
