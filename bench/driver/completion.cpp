// `stealbench completion`: a script that completes the command line in a shell. Everything in it is
// read from the declarations of the commands and from what the suite offers, so that a new command,
// option or workload is completed without a change here.
#include <cstddef>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "bench/cell/command_line.hpp"
#include "bench/cell/program.hpp"
#include "bench/driver/commands.hpp"
#include "bench/driver/rounds/installation.hpp"
#include "schedulers/variant.hpp"

namespace stealbench::driver {
namespace {

enum class source { words, files, folders };

/// What a shell offers for a value.
struct offer {
  source from = source::words;
  bool is_list = false;  ///< Several, separated by commas.
  std::vector<std::string> words;
};

/// The schedulers that are built, and each setting of those that have settings.
std::vector<std::string> scheduler_words() {
  const rounds::installation installed = rounds::installation::of_this_program();
  std::vector<std::string> words = installed.built();
  if (installed.has_sequential()) words.emplace_back(cell::sequential_name);
  for (const std::string& name : installed.built()) {
    for (const schedulers::setting& each : installed.description_of(name).settings) {
      for (const std::string& value : each.words()) {
        words.push_back(fmt::format("{}:{}={}", name, each.name, value));
      }
    }
  }
  return words;
}

void append(std::vector<std::string>& words, const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
}

offer offer_for(const CLI::Option& option) {
  const cell::value_description described = cell::values_of(option);
  offer made{.is_list = option.get_delimiter() != '\0', .words = cell::words_in(described.valid)};
  if (!made.words.empty()) return made;
  for (const std::string& type : CLI::detail::split(described.type, '|')) {
    if (type == cell::takes::workload) append(made.words, rounds::workload_names());
    if (type == cell::takes::scheduler) append(made.words, scheduler_words());
    if (type == cell::takes::profile) {
      append(made.words, rounds::installation::of_this_program().profiles());
    }
    if (type == cell::takes::folder && made.from == source::words) made.from = source::folders;
    if (type == cell::takes::file) made.from = source::files;
  }
  return made;
}

std::vector<std::string> names_of(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  return names;
}

std::string option_names_of(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) append(names, names_of(*option));
  return fmt::format("{}", fmt::join(names, " "));
}

// In bash: two tables as functions, and one function that reads them.

/// The first word says how the others are offered.
std::string bash_words(const offer& offered) {
  if (offered.from == source::files) return "files";
  if (offered.from == source::folders) return "folders";
  return fmt::format("{} {}", offered.is_list ? "list" : "one", fmt::join(offered.words, " "));
}

std::string bash_tables(const CLI::App& program) {
  const auto commands = program.get_subcommands({});
  std::vector<std::string> names;
  std::string options = fmt::format("    '') echo '{}' ;;\n", option_names_of(program));
  std::string values;
  for (const CLI::App* command : commands) {
    names.push_back(command->get_name());
    options +=
        fmt::format("    {}) echo '{}' ;;\n", command->get_name(), option_names_of(*command));
    std::size_t position = 0;
    for (const CLI::Option* option : command->get_options()) {
      if (!cell::takes_value(*option)) continue;
      std::vector<std::string> keys = names_of(*option);
      if (option->get_positional()) keys = {std::to_string(++position)};
      for (const std::string& key : keys) {
        values += fmt::format("    '{} {}') echo '{}' ;;\n", command->get_name(), key,
                              bash_words(offer_for(*option)));
      }
    }
  }
  return fmt::format(
      "_stealbench_commands='{}'\n\n"
      "_stealbench_options() {{\n  case $1 in\n{}  esac\n}}\n\n"
      "# What follows an option of a command, or is its n-th argument: a kind, and words.\n"
      "_stealbench_values() {{\n  case $1 in\n{}  esac\n}}\n",
      fmt::join(names, " "), options, values);
}

constexpr std::string_view bash_function = R"bash(
_stealbench() {
  local i word last= current command= previous= position=0 kind prefix= item
  local -a words=() values=() offered=()
  # Bash splits words at : and =, which are part of ours.
  for ((i = 1; i <= COMP_CWORD; ++i)); do
    word=${COMP_WORDS[i]}
    if ((${#words[@]})) && [[ $word == [:=]* || $last == [:=] ]]; then
      words[${#words[@]}-1]+=$word
    else
      words+=("$word")
    fi
    last=$word
  done
  current=${words[${#words[@]}-1]}
  for word in "${words[@]:0:${#words[@]}-1}"; do
    if [[ -z $command ]]; then
      [[ $word == -* ]] || command=$word
    elif [[ $previous == -* && -n $(_stealbench_values "$command $previous") ]]; then
      previous=
      continue
    elif [[ $word != -* ]]; then
      ((++position))
    fi
    previous=$word
  done
  COMPREPLY=()
  if [[ -z $command ]]; then
    words=("$_stealbench_commands" "$(_stealbench_options '')")
    mapfile -t COMPREPLY < <(compgen -W "${words[*]}" -- "$current")
    return
  fi
  item=$current
  if [[ $current == --*=* ]]; then
    previous=${current%%=*}
    item=${current#*=}
  fi
  [[ $previous != -* ]] || read -ra values < <(_stealbench_values "$command $previous")
  if ((${#values[@]} == 0)); then
    if [[ $current == -* ]]; then
      mapfile -t COMPREPLY < <(compgen -W "$(_stealbench_options "$command")" -- "$current")
      return
    fi
    read -ra values < <(_stealbench_values "$command $((position + 1))")
  fi
  kind=${values[0]-}
  case $kind in
    files | folders)
      compopt -o filenames 2> /dev/null
      [[ $kind == files ]] && kind=-f || kind=-d
      mapfile -t COMPREPLY < <(compgen "$kind" -- "$item")
      return
      ;;
    list) [[ $item != *,* ]] || prefix=${item%,*}, ;;
  esac
  item=${item#"$prefix"}
  for word in "${values[@]:1}"; do
    # Settings of a scheduler are offered behind its colon.
    [[ $word == *:* && $item != *:* ]] || offered+=("$word")
  done
  mapfile -t COMPREPLY < <(compgen -P "$prefix" -W "${offered[*]}" -- "$item")
  # Readline replaces only what is behind the last : or =.
  if [[ $current == *[:=]* && $COMP_WORDBREAKS == *:* ]]; then
    [[ $current != --*=* ]] || current=${current#*=}
    item=${current%"${current##*[:=]}"}
    COMPREPLY=("${COMPREPLY[@]#"$item"}")
  fi
}

complete -F _stealbench stealbench
)bash";

// In zsh: a call of _arguments for each command.

/// In single quotes, with these characters escaped.
std::string zsh_quoted(std::string_view text, std::string_view special) {
  std::string escaped;
  for (const char each : text) {
    if (special.find(each) != std::string_view::npos) escaped += '\\';
    escaped += each == '\'' ? "'\\''" : std::string(1, each);
  }
  return escaped;
}

std::string zsh_action(const offer& offered) {
  if (offered.from == source::files) return "_files";
  if (offered.from == source::folders) return "_files -/";
  if (offered.words.empty()) return " ";
  const std::string words = zsh_quoted(fmt::format("{}", fmt::join(offered.words, " ")), ":\\");
  return offered.is_list ? "_sequence compadd - " + words : fmt::format("({})", words);
}

std::string zsh_specifications(const CLI::App& command) {
  std::string lines;
  std::size_t position = 0;
  for (const CLI::Option* option : command.get_options()) {
    const std::string type = cell::values_of(*option).type;
    const std::string value = !cell::takes_value(*option)
                                  ? ""
                                  : fmt::format(":{}:{}", type, zsh_action(offer_for(*option)));
    const std::string meaning = zsh_quoted(option->get_description(), "[]:\\");
    if (option->get_positional()) lines += fmt::format(" \\\n        '{}{}'", ++position, value);
    for (const std::string& name : names_of(*option)) {
      lines += fmt::format(" \\\n        '{}[{}]{}'", name, meaning, value);
    }
  }
  return lines;
}

std::string zsh_script(const CLI::App& program) {
  std::string commands;
  std::string cases;
  for (const CLI::App* command : program.get_subcommands({})) {
    commands += fmt::format("    '{}:{}'\n", command->get_name(),
                            zsh_quoted(command->get_description(), ":\\"));
    cases += fmt::format("    {})\n      _arguments{}\n      ;;\n", command->get_name(),
                         zsh_specifications(*command));
  }
  return fmt::format(
      "#compdef stealbench\n"
      "# Completion of stealbench in zsh. To load it: source <(stealbench completion zsh)\n"
      "_stealbench() {{\n"
      "  local -a commands=(\n{}  )\n"
      "  if ((CURRENT == 2)); then\n"
      "    _describe command commands\n"
      "    return\n"
      "  fi\n"
      "  local command=$words[2]\n"
      "  shift words\n"
      "  ((--CURRENT))\n"
      "  case $command in\n{}  esac\n"
      "}}\n\n"
      "if [[ $funcstack[1] == _stealbench ]]; then\n"
      "  _stealbench \"$@\"\n"
      "else\n"
      "  compdef _stealbench stealbench\n"
      "fi\n",
      commands, cases);
}

}  // namespace

void declare_completion(CLI::App& program, int& status) {
  const auto shell = std::make_shared<std::string>();
  CLI::App* const command = program.add_subcommand(
      "completion", "Print a script that completes commands, options and values in a shell");
  command->add_option("SHELL", *shell, "Shell that runs the script")
      ->check(cell::one_of({"bash", "zsh"}))
      ->required();
  command->callback([shell, &program, &status] {
    if (*shell == "bash") {
      std::cout << "# Completion of stealbench in bash. To load it: source <(stealbench completion "
                   "bash)\n"
                << bash_tables(program) << bash_function;
    } else {
      std::cout << zsh_script(program);
    }
    status = 0;
  });
  command->footer(
      "Examples:\n"
      "  source <(stealbench completion bash)\n"
      "  stealbench completion zsh > ~/.zfunc/_stealbench");
}

}  // namespace stealbench::driver
