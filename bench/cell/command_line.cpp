#include "bench/cell/command_line.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstddef>
#include <exception>
#include <iostream>
#include <map>
#include <new>
#include <sstream>
#include <stdexcept>
#include <string_view>
#include <system_error>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include "schedulers/input.hpp"

namespace stealbench::cell {
namespace {

constexpr std::size_t page_width = 80;
constexpr std::size_t option_width = 26;

/// The value as the user typed it. One that is empty would be invisible.
std::string shown(const std::string& value) { return value.empty() ? "''" : value; }

CLI::Validator number_between(std::uint64_t least, std::uint64_t most) {
  return {[least, most](std::string& text) -> std::string {
            std::uint64_t value = 0;
            const char* const end = text.data() + text.size();
            const auto [stop, error] = std::from_chars(text.data(), end, value);
            const bool is_number = error == std::errc{} && stop == end;
            if (is_number && value >= least && value <= most) {
              text = fmt::format("{}", value);  // CLI11 would read 010 as eight, --set as ten.
              return {};
            }
            const bool is_too_long = error == std::errc::result_out_of_range && stop == end;
            return fmt::format("{}: must be {}between {} and {}", shown(text),
                               is_number || is_too_long ? "" : "an integer ", least, most);
          },
          fmt::format("{} to {}", least, most)};
}

/// The text in lines of at most `width` columns. Counts bytes, so that a line with `±` is shorter.
std::string wrapped(const std::string& text, std::size_t width) {
  std::istringstream words(text);
  std::string lines;
  std::size_t column = 0;
  for (std::string word; words >> word;) {
    const bool fits = column + 1 + word.size() <= width;
    if (column > 0) lines += fits ? ' ' : '\n';
    column = (column > 0 && fits ? column + 1 : 0) + word.size();
    lines += word;
  }
  return lines;
}

/// What an option takes, as CLI11 knows it, and what is valid, empty if there is no validator:
/// `WORKLOAD`, or `N` and `1 to 256`.
std::pair<std::string, std::string> values_of(const CLI::Option& option) {
  const std::string both = option.get_type_name();
  const std::size_t colon = both.find(':');
  return {both.substr(0, colon), colon == std::string::npos ? "" : both.substr(colon + 1)};
}

/// False for a flag.
bool takes_value(const CLI::Option& option) { return option.get_items_expected_max() > 0; }

/// What is valid, in words. A long list of `one_of` is left to the error message.
std::string valid_values_of(const CLI::Option& option) {
  constexpr std::size_t most_named = 16;
  std::string valid = values_of(option).second;
  if (!valid.starts_with('{')) return valid;
  const std::vector<std::string> words = CLI::detail::split(valid.substr(1, valid.size() - 2), ',');
  return words.size() > most_named ? "" : fmt::format("{}", fmt::join(words, ", "));
}

/// What a list may hold, for a message.
std::string valid_lists_of(const CLI::Option& option) {
  const auto [type, valid] = values_of(option);
  return fmt::format("{0},{0},...{1}", type,
                     valid.empty() ? "; see `stealbench list`" : ", each " + valid);
}

class layout final : public CLI::Formatter {
 public:
  layout() {
    column_width(option_width);
    label("SUBCOMMAND", "COMMAND");
    label("OPTIONS", "OPTION...");
    label("Positionals", "Arguments");
  }

  [[nodiscard]] std::string make_description(const CLI::App* app) const override {
    return wrapped(app->get_description(), page_width) + "\n\n";
  }

  /// Paragraphs. A line that is indented is an example and stays as it is.
  [[nodiscard]] std::string make_footer(const CLI::App* app) const override {
    std::istringstream lines(app->get_footer());
    std::string text;
    for (std::string line; std::getline(lines, line);) {
      text += (line.starts_with(' ') ? line : wrapped(line, page_width)) + '\n';
    }
    return text;
  }

  [[nodiscard]] std::string make_subcommand(const CLI::App* command) const override {
    std::ostringstream out;
    CLI::detail::format_help(out, command->get_name(),
                             wrapped(command->get_description(), page_width - option_width),
                             option_width);
    return out.str();
  }

  [[nodiscard]] std::string make_option_opts(const CLI::Option* option) const override {
    if (!takes_value(*option) || option->get_positional()) return {};
    return fmt::format(" {}{}", values_of(*option).first,
                       option->get_delimiter() == '\0' ? "" : ",...");
  }

  [[nodiscard]] std::string make_option_desc(const CLI::Option* option) const override {
    std::vector<std::string> notes;
    const bool has_value = takes_value(*option);
    if (const std::string valid = valid_values_of(*option); has_value && !valid.empty()) {
      notes.push_back(valid);
    }
    if (const std::string value = option->get_default_str(); has_value && !value.empty()) {
      notes.push_back("default: " + value);
    }
    if (option->get_required() && !option->get_positional()) notes.emplace_back("required");
    std::string text = option->get_description();
    if (!notes.empty()) text += fmt::format(" ({})", fmt::join(notes, "; "));
    return wrapped(text, page_width - option_width);
  }
};

/// Throws CLI::ValidationError for a list with an empty item and for a key that is set twice.
/// `arguments` are what the command is called with.
void expect_well_formed(const CLI::App& command, const std::vector<std::string>& arguments) {
  std::map<std::pair<const CLI::Option*, std::string>, std::string> earlier;
  const std::vector<const CLI::Option*> positionals =
      command.get_options([](const CLI::Option* each) { return each->get_positional(); });
  std::size_t position = 0;
  // Behind the name of the command, if it is no program of its own.
  for (std::size_t i = command.get_parent() == nullptr ? 0 : 1; i < arguments.size(); ++i) {
    if (arguments[i] == "--") break;
    const CLI::Option* option = nullptr;
    std::string value = arguments[i];
    if (value.starts_with("-")) {
      const std::size_t equals = value.find('=');
      option = command.get_option_no_throw(value.substr(0, equals));
      if (option == nullptr || !takes_value(*option)) continue;
      if (equals == std::string::npos && ++i == arguments.size()) break;
      value = equals == std::string::npos ? arguments[i] : value.substr(equals + 1);
    } else if (position < positionals.size()) {
      option = positionals[position++];
    } else {
      continue;
    }
    const bool is_list = option->get_delimiter() != '\0' && !value.empty();
    if (is_list && (',' + value + ',').find(",,") != std::string::npos) {
      throw CLI::ValidationError(option->get_name(),
                                 fmt::format("{}: an item of the list is empty; valid: {}", value,
                                             valid_lists_of(*option)));
    }
    if (option->get_type_name() != takes::assignment) continue;
    for (const std::string& assignment : CLI::detail::split(value, ',')) {
      const std::string key = assignment.substr(0, assignment.find('='));
      const auto [first, is_new] = earlier.try_emplace({option, key}, assignment);
      if (is_new) continue;
      throw CLI::ValidationError(option->get_name(),
                                 fmt::format("{}: {} is set twice, first as {}; valid: one value "
                                             "for each parameter",
                                             assignment, key, first->second));
    }
  }
}

/// What was wrong, where, and what is valid: `--workers 0: must be between 1 and 1024`.
std::string message_of(const CLI::ParseError& error) {
  std::string text = error.what();
  const std::size_t colon = text.find(": ");
  const auto is = [&](CLI::ExitCodes code) {
    return error.get_exit_code() == static_cast<int>(code);
  };
  // `--workers: 0: must be …`
  if (is(CLI::ExitCodes::ValidationError) && colon != std::string::npos)
    return text.erase(colon, 1);
  // `--workers: 1 required N:1 to 1024 missing`
  constexpr std::string_view missing = " missing";
  if (is(CLI::ExitCodes::ArgumentMismatch) && text.ends_with(missing)) {
    const std::size_t valid = text.find(':', colon + 1);
    std::string message = text.substr(0, colon) + ": the value is missing";
    if (valid == std::string::npos) return message;
    return message + "; valid: " + text.substr(valid + 1, text.size() - missing.size() - valid - 1);
  }
  constexpr std::string_view excludes = " excludes ";
  if (is(CLI::ExitCodes::ExcludesError)) {
    const std::size_t between_them = text.find(excludes);
    if (between_them != std::string::npos) {
      return fmt::format("{} and {} cannot be used together", text.substr(0, between_them),
                         text.substr(between_them + excludes.size()));
    }
  }
  return text;
}

/// Throws std::system_error if not all of the standard output could be written.
void flush_output() {
  if (std::cout.flush()) return;
  // Asks the system again: since the write that failed other calls may have failed, too.
  throw std::system_error(write(STDOUT_FILENO, "\n", 1) < 0 ? errno : EIO, std::generic_category(),
                          "cannot write the standard output");
}

}  // namespace

CLI::Option* as_kind(const value_kind& kind, CLI::Option* option) {
  if (option->get_expected_max() > 1) {
    option->delimiter(',');
  } else {
    option->capture_default_str();
  }
  return option->type_name(kind.type)->transform(kind.valid)->allow_extra_args(false);
}

value_kind takes::number(std::uint64_t least, std::uint64_t most) {
  return {"N", number_between(least, most)};
}

value_kind takes::size() {
  return {"SIZE", one_of({kit::size_names.begin(), kit::size_names.end()})};
}

CLI::Validator one_of(std::vector<std::string> words) {
  std::string set = fmt::format("{{{}}}", fmt::join(words, ","));
  return {[words = std::move(words)](const std::string& text) -> std::string {
            if (std::ranges::count(words, text) > 0) return {};
            return fmt::format("{}: must be one of {}", shown(text), fmt::join(words, ", "));
          },
          std::move(set)};
}

void add_footer(CLI::App& command, const std::string& notes,
                const std::array<std::string, 2>& examples) {
  const CLI::App* const program = command.get_parent();
  const std::string name =
      (program == nullptr ? "" : program->get_name() + " ") + command.get_name();
  std::string text = notes.empty() ? "Examples:" : notes + "\n\nExamples:";
  for (const std::string& each : examples) {
    text += fmt::format("\n  {} {}", name, each);
  }
  command.footer(text);
}

CLI::Option* declare_instance(CLI::App& app, instance_options& typed) {
  CLI::Option* const workload = add_option(app, "--workload", typed.workload, takes::workload,
                                           "Workload to run; see `stealbench list`");
  std::vector<std::string> sizes(kit::size_names.begin(), kit::size_names.end());
  sizes.emplace_back(no_size);
  add_option(app, "--size", typed.size, {"SIZE", one_of(sizes)},
             "Size of the workload: preset parameter values. none: the default of every parameter "
             "that --set does not name");
  add_option(app, "--set", typed.set, takes::assignment,
             "Set a parameter of the workload. May be repeated");
  add_option(app, "--variant", typed.variant, "SETTINGS",
             "Settings of the scheduler, as KEY=VALUE:KEY=VALUE; see `stealbench list`");
  add_option(app, "--stack-mib", typed.stack_mib, takes::number(1, 65536),
             "Stack size of each worker [MiB]. Only the pages that are used take memory");
  return workload;
}

std::vector<kit::parameters> instances_of(const kit::description& workload,
                                          const instance_options& typed) {
  std::vector<kit::assignment> by_user;
  for (const std::string& text : typed.set) by_user.push_back(kit::parse_assignment(text));
  if (typed.size == no_size) return {kit::parameters(workload, by_user)};
  return kit::instances_of(workload, kit::find_size(workload, typed.size), by_user);
}

int run_command_line(CLI::App& app, int argc, char** argv, const std::function<int()>& body) {
  app.formatter(std::make_shared<layout>());
  app.get_help_ptr()->description("Print this help");
  try {
    int status = 0;
    expect_well_formed(app, {argv + 1, argv + argc});
    try {
      app.parse(argc, argv);
      status = body();
    } catch (const CLI::Success& help) {
      status = app.exit(help);
    }
    flush_output();
    return status;
  } catch (const CLI::ParseError& error) {
    std::cerr << message_of(error) << '\n';
    return 2;
  } catch (const schedulers::bad_input& error) {
    std::cerr << error.what() << '\n';
    return 2;
  } catch (const std::invalid_argument& error) {  // Settings, and what a test injects.
    std::cerr << error.what() << '\n';
    return 2;
  } catch (const std::bad_alloc&) {
    std::cerr << "not enough memory; valid: a smaller --size, fewer --workers, or a higher limit "
                 "(ulimit -v)\n";
  } catch (const std::exception& error) {
    std::cerr << app.get_name() << ": " << error.what() << '\n';
  }
  return 1;
}

}  // namespace stealbench::cell
