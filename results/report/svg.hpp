// Drawings of gnuplot, a child process, as SVG inside of HTML.
#pragma once

#include <chrono>
#include <stdexcept>
#include <string>
#include <string_view>

namespace stealbench::report {

/// gnuplot is missing, or did not do what its script says.
class plot_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A plot takes some hundredths of a second.
inline constexpr std::chrono::seconds gnuplot_limit{10};

/// What gnuplot writes to its standard output when it reads this script. It sees no start-up file
/// of the user's. Throws plot_error if there is no gnuplot on the PATH (or no executable
/// file `program`), with gnuplot's own words if it fails, and if it takes longer than the limit,
/// after killing it. Not for two threads at once.
[[nodiscard]] std::string run_gnuplot(std::string_view script,
                                      const std::string& program = "gnuplot",
                                      std::chrono::milliseconds limit = gnuplot_limit);

/// A text as a gnuplot script writes it: in single quotes, inside of which nothing is substituted.
/// Control characters become spaces.
[[nodiscard]] std::string quoted_for_gnuplot(std::string_view text);

/// The five characters that are markup in HTML and XML, escaped; right for text and for attributes
/// in either quotes. Control characters, which XML forbids, become spaces.
[[nodiscard]] std::string escape_html(std::string_view text);

/// What a drawing says to whoever does not see it.
struct text_alternative {
  std::string title;
  std::string description;  ///< The figures in words.
};

/// A drawing of gnuplot's svg terminal, for a page that holds several: every id begins with `id`,
/// what was black takes the colour of the text around it, the size is that of the container, and
/// the text alternative is its own. `id` is a letter, then letters, digits and hyphens, and no
/// other drawing of the page has it. Throws std::invalid_argument if it is something else, or
/// `drawn` is no such drawing.
[[nodiscard]] std::string embeddable(std::string_view drawn, std::string_view id,
                                     const text_alternative& words);

/// A colour for grid lines that `embeddable` knows: in the page a faint one of the text.
inline constexpr std::string_view grid_colour = "#010203";

}  // namespace stealbench::report
