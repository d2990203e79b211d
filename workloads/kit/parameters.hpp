// What can be set on a workload: declared once, checked once, listed from the same source.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstdint>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "schedulers/input.hpp"

namespace stealbench::kit {

using schedulers::bad_input;

/// `key=value` as typed, not yet checked.
using assignment = std::pair<std::string, std::string>;

/// A whole number in [least, most], typed in decimal digits or as a power of two: `2^23`.
struct integer_domain {
  std::uint64_t least;
  std::uint64_t most;
  std::uint64_t standard;  ///< The default.
};

/// A real number in [least, most], typed as `4`, `0.25` or `5e-9`.
struct real_domain {
  double least;
  double most;
  double standard;
};

/// One word of several. A word may stand for values of other parameters, as the name of a published
/// input does; the keys it means cannot be assigned beside it. The default means none.
struct choice_domain {
  std::vector<std::string> words;
  std::string standard;
  std::map<std::string, std::vector<assignment>, std::less<>> means = {};
};

struct parameter {
  std::string key;
  std::string meaning;  ///< With the unit.
  std::variant<integer_domain, real_domain, choice_domain> domain;
};

/// A named size: one list of assignments for each instance that it runs (uts standard: T1 and T3).
struct size {
  std::string name;
  std::vector<std::vector<assignment>> instances;
};

/// The names of the sizes that every workload has, in their order.
inline constexpr std::array<const char*, 4> size_names{"test", "small", "standard", "large"};

/// What a reader of the catalogue compares workloads by: a few words each, as Markdown, formulas in
/// the parameters' names.
struct profile {
  std::string shape;     ///< of the parallelism: which forks, how regular
  std::string tasks;     ///< how many branches it offers
  std::string work;      ///< Θ of the serial time
  std::string span;      ///< Θ of the time on as many workers as one likes
  std::string bound_by;  ///< forks, compute, memory, …
  std::string answer;    ///< what the answer is and how it is checked
  std::string source;    ///< the publication that defines it
  /// What a unit of its work is, which takes the same time wherever it is done (kit::charge): a
  /// noun phrase. Empty where none does, as if memory bounds it: then it cannot be simulated.
  std::string unit = {};
};

/// The parameter that makes a workload's pieces coarser or finer, its work staying the same, and
/// the values of it that are worth a look.
struct granularity {
  std::string parameter;  ///< Of whole numbers.
  /// `size`, the elements of a piece; `levels_of_a_piece`, of a tree, that one piece takes; or
  /// `levels_of_forks` from the root, a cut-off, of which greater is finer.
  std::string counts = "size";
  std::uint64_t least = 1;
  std::uint64_t most = ~std::uint64_t{0};
  /// The parameter whose value ends the range too: it makes one piece of the whole, or, of levels
  /// that fork, a fork at each. Empty if none does.
  std::string bounded_by = {};
};

struct description {
  std::string name;
  std::string summary;
  profile about = {};
  std::vector<parameter> parameters;
  std::optional<granularity> grain = {};  ///< None if its pieces are what they are.
  std::vector<size> sizes;                ///< test, small, standard, large, in this order.
  std::string family = {};  ///< The folder that its room is in; known to the catalogue alone.
};

/// A description from its text: an entry on each line, which lines that begin with spaces continue.
/// Lines that begin with `#` are comments.
///
///     NAME: SUMMARY
///     shape: …                                   likewise the other members of its profile
///     n=35 (0 to 90): the meaning                likewise each parameter: its default, what is
///     q=0.5 (real, 0 to 1): the meaning          valid, and what it means. `any` is every number
///     form=group (group | fork): the meaning     of 64 bits
///     grain: leaf, 16 to n                       its granularity: to a number, or to the value of
///     grain: cutoff, 0 to n, levels of forks     another parameter; what it counts, but elements
///     sizes: n=2 form=*; n=7 | n=20 | n=35 | n=9  in the order of size_names; `; ` is between two
///                                                instances, and `*` is one for each word
///
/// Throws what it meets first if the text is not one: it is part of the program.
[[nodiscard]] description described(std::string_view text);

/// The description in <name>.txt, in the room of a workload of this repository.
[[nodiscard]] description description_of(std::string_view name);

/// The whole number of a text, `8388608` or `2^23`; nothing if it is none.
[[nodiscard]] std::optional<std::uint64_t> parse_integer(std::string_view text);

/// Why a workload cannot be simulated, for a message; empty if it can.
[[nodiscard]] std::string why_not_simulated(const description& workload);

/// Values for every parameter of a workload, each inside its domain.
class parameters {
 public:
  /// Defaults, overridden by `assignments` in order. Throws bad_input on an unknown key, a value
  /// that does not parse or is outside its domain, or an assignment beside a word that means
  /// the same key; the message names what is valid.
  parameters(const description& workload, const std::vector<assignment>& assignments);

  /// Requires: `Number` holds the whole domain.
  template <std::unsigned_integral Number = std::uint64_t>
  [[nodiscard]] Number integer(std::string_view key) const {
    return static_cast<Number>(std::get<std::uint64_t>(at(key)));
  }
  [[nodiscard]] double real(std::string_view key) const;
  [[nodiscard]] const std::string& choice(std::string_view key) const;
  /// The same as an enumerator. Requires: they have the order of the parameter's words.
  template <class Enum>
  [[nodiscard]] Enum choice_as(std::string_view key) const {
    return static_cast<Enum>(place_of_choice(key));
  }

  /// Whether an assignment named the key itself.
  [[nodiscard]] bool was_set(std::string_view key) const;

  using value = std::variant<std::uint64_t, double, std::string>;
  /// Every parameter, in the order of the description, with what a word means filled in.
  [[nodiscard]] const std::vector<std::pair<std::string, value>>& all() const { return values_; }

 private:
  [[nodiscard]] const value& at(std::string_view key) const;
  [[nodiscard]] std::size_t place_of_choice(std::string_view key) const;
  void assign(const description& workload, const assignment& what);

  std::vector<std::pair<std::string, value>> values_;
  std::vector<std::string> set_;
  std::map<std::string, std::vector<std::string>, std::less<>> words_;  // Of each choice.
};

/// Throws bad_input, which names the next ones, unless the value of the key is a power of two.
void require_power_of_two(const parameters& chosen, std::string_view key);

/// Physical memory of this machine; the greatest number if that is unknown.
[[nodiscard]] std::uint64_t physical_memory_bytes();

/// Throws bad_input, which names the greatest value that fits, if a run with this value of the
/// parameter `key` needs more than the physical memory, before anything is allocated. `bytes_of`
/// must not fall as its argument grows, and must not overflow for `value`.
void require_memory(std::string_view key, std::uint64_t value,
                    const std::function<std::uint64_t(std::uint64_t)>& bytes_of);

/// A value as a user would type it.
[[nodiscard]] std::string to_string(const parameters::value& value);

/// Throws bad_input: the complaint, and what is valid.
[[noreturn]] void refuse(const std::string& complaint, const std::vector<std::string>& valid);

/// The one of that name. Refuses one that is not among them.
template <class Range, class Name>
[[nodiscard]] const auto& find_named(const Range& all, const Name& name, std::string_view wanted,
                                     const std::string& complaint) {
  const auto found = std::ranges::find(all, wanted, name);
  if (found != std::end(all)) return *found;
  std::vector<std::string> names;
  names.reserve(std::size(all));
  for (const auto& each : all) names.emplace_back(std::invoke(name, each));
  refuse(complaint, names);
}

/// Splits `key=value` of the option --set; throws bad_input where there is no `=`.
[[nodiscard]] assignment parse_assignment(const std::string& text);

/// The size of that name, of the option --size; throws bad_input that names the valid ones.
[[nodiscard]] const size& find_size(const description& workload, std::string_view name);

/// The runs that a size means once the user's assignments are laid over it: one for each
/// instance, without repetitions. The user's win: a word that means other keys drops the
/// size's values of these keys, and a value of such a key drops the size's word. Throws bad_input
/// as the constructor of `parameters` does.
[[nodiscard]] std::vector<parameters> instances_of(const description& workload, const size& chosen,
                                                   const std::vector<assignment>& by_user);

}  // namespace stealbench::kit
