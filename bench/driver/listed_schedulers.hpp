// The schedulers as `stealbench list` shows them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "bench/driver/rounds/installation.hpp"

namespace stealbench::driver {

/// Those of these schedulers that are built, `sequential` among them: what each says of itself.
[[nodiscard]] nlohmann::ordered_json json_of_schedulers(const std::vector<std::string>& names,
                                                        const rounds::installation& installed);

/// In their groups, with the command that builds what is not built. One alone with the meanings of
/// its settings and values.
void print_schedulers(const std::vector<std::string>& names, const rounds::installation& installed);

/// For a README: a table of every strategy, which is a scheduler or a value of one of its settings.
/// With a column of what each is good for, unless that is empty: sections::strengths_in.
void print_catalogue(const std::vector<std::string>& names, const rounds::installation& installed,
                     const std::map<std::string, std::string>& strengths);

/// For a README: the settings of a scheduler. Throws kit::bad_input if it has none.
void print_settings(const std::string& scheduler, const rounds::installation& installed);

}  // namespace stealbench::driver
