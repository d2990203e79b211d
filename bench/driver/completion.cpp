// `stealbench completion`: a script with which a shell asks this program what completes a command
// line. The answer is read from the declarations of the commands and from what the suite has, so
// that a new command, option or workload is completed without a change here.
#include <algorithm>
#include <iostream>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "bench/cell/program.hpp"
#include "bench/driver/commands.hpp"
#include "bench/driver/rounds/installation.hpp"

namespace stealbench::driver {
namespace {

using words = std::vector<std::string>;
constexpr const char* files = "<files>";

// The shell lists files itself. Readline replaces only what is behind the last : or =.
constexpr const char* bash_script = R"(# To load it: source <(stealbench completion bash)
_stealbench() {
  local line=${COMP_LINE:0:COMP_POINT} last words
  read -ra words <<< "$line"
  [[ $line != *' ' ]] || words+=('')
  last=${words[-1]}
  mapfile -t COMPREPLY < <("${words[0]/#\~/$HOME}" completion bash -- "${words[@]:1}" 2> /dev/null)
  COMPREPLY=("${COMPREPLY[@]#"${last%"${last##*[:=]}"}"}")
  [[ ${COMPREPLY[0]-} != *= ]] || compopt -o nospace 2> /dev/null
  [[ ${COMPREPLY[0]-} == '<files>' ]] || return 0
  compopt -o filenames 2> /dev/null
  mapfile -t COMPREPLY < <(compgen -f -- "${last##*=}")
}
complete -F _stealbench stealbench
)";
constexpr const char* zsh_script = R"(# To load it: source <(stealbench completion zsh)
_stealbench() {
  local -a offered=("${(@f)$(${~words[1]} completion zsh -- "${(@)words[2,CURRENT]}" 2> /dev/null)}")
  if [[ $offered[1] == '<files>' ]]; then compset -P '--*='; _files; else compadd -a offered; fi
}
compdef _stealbench stealbench
)";

/// What an option takes. `workload` is the one that is named before it; may be empty.
words values_of(const CLI::Option& option, const std::string& typed, const std::string& workload) {
  const cell::value_description takes = cell::values_of(option);
  words all = cell::words_in(takes.valid);
  const words types = all.empty() ? CLI::detail::split(takes.type, '|') : words{};
  const auto installed = rounds::installation::of_this_program();
  for (const std::string& type : types) {
    if (type == cell::takes::file || type == cell::takes::folder) return {files};
    if (type == cell::takes::workload) all = rounds::workload_names();
    if (type == cell::takes::profile) all = installed.profiles();
    if (type == cell::takes::scheduler) {
      std::ranges::copy(installed.built(), back_inserter(all));
      if (installed.is_built(cell::sequential_name)) all.emplace_back(cell::sequential_name);
      // Settings are offered behind a colon.
      const std::string name = typed.substr(0, typed.find(':'));
      if (name == typed || std::ranges::count(installed.built(), name) == 0) continue;
      for (const schedulers::setting& each : installed.description_of(name).settings) {
        for (const std::string& value : each.words()) {
          all.push_back(typed.substr(0, typed.rfind(':') + 1) + each.name + "=" + value);
        }
      }
    }
    if (type != cell::takes::assignment || workload.empty()) continue;
    for (const kit::parameter& each : rounds::find_workload(workload).parameters) {
      const auto* const choice = std::get_if<kit::choice_domain>(&each.domain);
      for (const std::string& word : choice == nullptr ? words{""} : choice->words) {
        all.push_back(each.key + "=" + word);
      }
    }
  }
  return all;
}

/// What the last of these words may become, which may be empty.
words offers_for(const CLI::App& program, const words& typed) {
  const CLI::App* command = nullptr;
  const CLI::Option* option = nullptr;  // Whose value the next word is.
  std::string workload;
  std::size_t position = 0;
  const auto commands = program.get_subcommands({});
  for (std::size_t i = 0; i + 1 < typed.size(); ++i) {
    const words known = rounds::workload_names();
    if (std::ranges::count(known, typed[i]) > 0) workload = typed[i];
    if (command == nullptr) {
      const auto named = std::ranges::find(commands, typed[i], &CLI::App::get_name);
      if (named != commands.end()) command = *named;
    } else if (std::exchange(option, nullptr) != nullptr) {
      continue;
    } else if (!typed[i].starts_with("-")) {
      ++position;
    } else if (const auto* each = command->get_option_no_throw(typed[i])) {
      option = cell::takes_value(*each) ? each : nullptr;
    }
  }
  const std::string& last = typed.back();
  const std::size_t equals = last.starts_with("--") ? last.find('=') : std::string::npos;
  words all;
  for (const CLI::Option* each : (command == nullptr ? program : *command).get_options()) {
    for (const std::string& name : each->get_lnames()) all.push_back("--" + name);
    if (option != nullptr || command == nullptr) continue;
    if (last.starts_with("-")
            ? equals != std::string::npos && each->check_name(last.substr(0, equals))
            : each->get_positional() && (each->get_allow_extra_args() || position-- == 0)) {
      option = each;
    }
  }
  if (command == nullptr) {
    for (const CLI::App* each : commands) all.push_back(each->get_name());
  }
  if (option == nullptr) return all;
  std::size_t start = equals + 1;  // Of no `=` 0.
  if (option->get_delimiter() != '\0') start = std::max(start, last.rfind(',') + 1);
  all = values_of(*option, last.substr(start), workload);
  for (std::string& each : all) {
    if (each != files) each.insert(0, last, 0, start);
  }
  return all;
}

}  // namespace

void declare_completion(CLI::App& program, int& status) {
  const auto shell = std::make_shared<std::string>();
  const auto typed = std::make_shared<words>();
  CLI::App* const command = program.add_subcommand(
      "completion", "Print a script that completes commands, options and values in a shell");
  command->add_option("SHELL", *shell, "Shell that runs the script")
      ->check(cell::one_of({"bash", "zsh"}))
      ->required();
  command->add_option("WORD", *typed, "Behind --: print instead what completes the last word");
  command->callback([shell, typed, &program, &status] {
    if (typed->empty()) std::cout << (*shell == "bash" ? bash_script : zsh_script);
    for (const std::string& each : typed->empty() ? words{} : offers_for(program, *typed)) {
      if (each == files || each.starts_with(typed->back())) std::cout << each << '\n';
    }
    status = 0;
  });
  command->footer(
      "Examples:\n"
      "  source <(stealbench completion bash)\n"
      "  stealbench completion bash -- compare --workloads fi");
}

}  // namespace stealbench::driver
