// The variables of an execution by their names instead of their addresses. The model checker knows
// where each operation is in the source; what is before the operation there is the name. So a
// checked protocol names nothing for its checker's sake.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace stealbench::verify {

/// One operation of one thread.
struct step {
  int thread = 0;
  std::string operation;     ///< "load", "compare_exchange", …; of plain data "read" and "write".
  std::string address = {};  ///< Of the variable, as "0x7f10"; empty if there is none.
  std::string values = {};   ///< What was read or written, with addresses.
  std::string order = {};    ///< Empty if there is none.
  std::string function = {};
  std::string file = {};
  unsigned line = 0;
};

/// Of a file of the repository, its path there; empty for any other.
[[nodiscard]] std::string_view place_in_repository(std::string_view file);

class variable_names {
 public:
  explicit variable_names(const std::vector<step>& steps);

  /// As `top`, `array[1]`; `top#2` is the second variable of that name, in order of use. Of several
  /// names the one that most steps use. Empty if no step uses the address.
  [[nodiscard]] std::string of(const std::string& address) const;
  /// `values`, with each address replaced: `&top` for that of a variable, p1, p2, … for any other.
  [[nodiscard]] std::string in(const std::string& values);

 private:
  std::map<std::string, std::string> names_;     // by address
  std::map<std::string, std::string> pointers_;  // likewise
};

}  // namespace stealbench::verify
