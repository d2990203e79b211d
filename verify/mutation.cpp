#include "verify/mutation.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <optional>
#include <ostream>
#include <sstream>

namespace stealbench::verify {
namespace {

using engine::order;

constexpr search first_look = random(10'000);

std::string heading_of(const matrix& of) { return "## " + of.protocol + "\n"; }

struct fate {
  const trial* killer = nullptr;  // null: survived
  search how = first_look;
  verdict last;
  std::uint64_t executions = 0;  // of all searches, for a survivor; 0: a weaker one survived
};

fate try_mutant(const matrix& of, const matrix::mutant& mutant) {
  fate found;
  std::ostream nowhere(nullptr);
  for (const bool deep : {false, true}) {
    for (const trial& each : of.trials) {
      const search s = deep ? each.deep : first_look;
      mutant.weaken();
      found.last = each.explore(s, nowhere);
      of.restore();
      found.executions += found.last.executions;
      if (found.last.outcome != passes) {
        found.killer = &each;
        found.how = s;
        return found;
      }
    }
  }
  return found;
}

const matrix::survivor* justification_for(const matrix& of, const std::string& site,
                                          const std::string& weakened_to) {
  for (const matrix::survivor& each : of.survivors) {
    if (each.site == site && (each.weakened_to == weakened_to || each.weakened_to == "*")) {
      return &each;
    }
  }
  return nullptr;
}

// Where each row of a site begins.
std::string row_of(const matrix::site& site) {
  return "| `" + site.name + "` | " + std::string(to_string(site.what)) + " | " + site.shipped +
         " | " + site.partner + " | ";
}

// How a mutant has survived according to the record, if it has a reason to; else it must be tried.
std::optional<fate> survival_on(const std::string& record, const matrix& of,
                                const matrix::site& site, const matrix::mutant& mutant) {
  if (justification_for(of, site.name, mutant.weakened_to) == nullptr) return std::nullopt;
  const std::string row = '\n' + row_of(site) + mutant.weakened_to + " | survived ";
  const std::size_t at = record.find(row);
  if (at == std::string::npos) return std::nullopt;
  fate found;
  found.executions = std::strtoull(record.c_str() + at + row.size(), nullptr, 10);
  if (found.executions == 0) return std::nullopt;
  return found;
}

/// What becomes of each mutant of a site. The last one is the weakest, and allows whatever the
/// others allow: where it survives, so do they, and are not tried. Nor are the survivors on record.
std::vector<fate> try_mutants(const matrix& of, const matrix::site& site,
                              const std::string& survivors) {
  const auto fate_of = [&](const matrix::mutant& mutant) {
    const std::optional<fate> known = survival_on(survivors, of, site, mutant);
    return known ? *known : try_mutant(of, mutant);
  };
  std::vector<fate> found(site.mutants.size());
  if (found.empty()) return found;
  found.back() = fate_of(site.mutants.back());
  if (found.back().killer == nullptr) return found;
  for (std::size_t i = 0; i + 1 < found.size(); ++i) found[i] = fate_of(site.mutants[i]);
  return found;
}

std::string_view to_string(justification why) {
  switch (why) {
    case justification::equivalent:
      return "equivalent mutant";
    case justification::invisible:
      return "invisible to Relacy";
    case justification::argued:
      break;
  }
  return "invisible to both checkers";
}

bool says_killed(const std::string& verdict) { return verdict.find("killed") != std::string::npos; }

// What is wrong with the survivor's justification, in the light of the second opinion; or nothing.
std::string_view refuted(justification why, const std::string& second) {
  const bool killed = says_killed(second);
  if (why == justification::invisible && !killed) {
    return " is not killed by the second checker, so that it is invisible is no justification";
  }
  if (why == justification::equivalent && killed) {
    return " is killed by the second checker, so it is no equivalent mutant";
  }
  if (why == justification::argued && killed) {
    return " is killed by the second checker, so it is invisible to Relacy alone";
  }
  return {};
}

// Second verdicts that no mutant of the matrix has any more, a line each.
void add_stale(const matrix& of, const second_opinion& second, std::vector<std::string>& wrong) {
  for (const auto& [about, verdict] : second.verdicts) {
    if (about.protocol != of.protocol) continue;
    const auto is_mutant = [&, &weakened_to = about.weakened_to](const matrix::mutant& each) {
      return each.weakened_to == weakened_to;
    };
    const auto has_it = [&, &site = about.site](const matrix::site& each) {
      return each.name == site && std::any_of(each.mutants.begin(), each.mutants.end(), is_mutant);
    };
    const bool is_shipped = about.site == "shipped";
    if (is_shipped ? says_killed(verdict)
                   : std::none_of(of.sites.begin(), of.sites.end(), has_it)) {
      wrong.push_back(of.protocol + ": on record is '" + verdict + "' of " + about.site + ' ' +
                      about.weakened_to);
    }
  }
}

std::string verdict_on(const second_opinion& second, const second_opinion::mutant& about) {
  const auto found = second.verdicts.find(about);
  return found == second.verdicts.end() ? "–" : found->second;
}

// From the heading to the next one of its rank, or to the end; empty if there is none.
std::string section_in(const std::string& text, const std::string& heading) {
  std::size_t begin = text.rfind(heading, 0) == 0 ? 0 : text.find("\n" + heading);
  if (begin == std::string::npos) return {};
  if (begin != 0) ++begin;
  std::string section = text.substr(begin, text.find("\n## ", begin) - begin);
  while (!section.empty() && section.back() == '\n') section.pop_back();
  return section + '\n';
}

// All of the section that stands above the rows.
void write_head(const matrix& of, const second_opinion& second, std::ostream& to) {
  to << heading_of(of) << "\nOrderings: `" << of.source << "`. Scripts:";
  const char* separator = " ";
  for (const trial& each : of.trials) {
    to << separator << '`' << each.name << "` (" << each.threads << " threads, "
       << verify::to_string(each.deep) << ')';
    separator = ", ";
  }
  to << ".\n";
  if (const std::string shipped = verdict_on(second, {of.protocol, "shipped", ""});
      shipped != "–") {
    to << "\nNothing weakened, " << second.checker << ": " << shipped << ".\n";
  }
  to << "\n| site | operation | shipped | pairs with | weakened to | Relacy | "
     << (second.checker.empty() ? "second checker" : second.checker)
     << " |\n|---|---|---|---|---|---|---|\n";
}

// Of each site the weakest mutant first: where it survives, the others need not be tried.
void print_mutants(const matrix& of) {
  std::cout << "protocol " << of.protocol << '\n';
  for (const trial& each : of.trials) std::cout << "script " << each.name << '\n';
  for (const matrix::site& site : of.sites) {
    for (auto each = site.mutants.rbegin(); each != site.mutants.rend(); ++each) {
      std::cout << "mutant " << site.name << ' ' << each->weakened_to << '\n';
    }
  }
}

// Says where the two part; false if they do.
bool same(const std::string& now, const std::string& on_record, const std::string& heading) {
  std::istringstream now_lines(now);
  std::istringstream recorded_lines(on_record);
  std::string is;
  std::string was;
  while (true) {
    const bool more = static_cast<bool>(std::getline(now_lines, is));
    const bool more_on_record = static_cast<bool>(std::getline(recorded_lines, was));
    if (!more && !more_on_record) return true;
    if (more == more_on_record && is == was) continue;
    std::cerr << "On record under '" << heading.substr(0, heading.size() - 1) << "':\n  "
              << (more_on_record ? was : "(nothing)") << "\nbut now:\n  "
              << (more ? is : "(nothing)") << "\nThe target 'orderings' writes the record anew.\n";
    return false;
  }
}

}  // namespace

std::string_view to_string(order o) {
  switch (o) {
    case order::none:
      return "none";
    case order::relaxed:
      return "relaxed";
    case order::acquire:
      return "acquire";
    case order::release:
      return "release";
    case order::acq_rel:
      return "acq_rel";
    case order::seq_cst:
      break;
  }
  return "seq_cst";
}

std::string_view to_string(operation what) {
  switch (what) {
    case operation::load:
      return "load";
    case operation::store:
      return "store";
    case operation::read_modify_write:
      return "read-modify-write";
    case operation::fence:
      return "fence";
    case operation::step:
      return "step";
    case operation::mode:
      break;
  }
  return "mode";
}

std::vector<order> weaker(operation what, order shipped) {
  std::vector<order> ladder;
  switch (what) {
    case operation::load:
      ladder = {order::seq_cst, order::acquire, order::relaxed};
      break;
    case operation::store:
      ladder = {order::seq_cst, order::release, order::relaxed};
      break;
    case operation::read_modify_write:
      ladder = {order::seq_cst, order::acq_rel, order::acquire, order::release, order::relaxed};
      break;
    case operation::fence:
      ladder = {order::seq_cst, order::acq_rel, order::acquire, order::release, order::none};
      break;
    case operation::step:
    case operation::mode:
      return {};
  }
  const auto at = std::find(ladder.begin(), ladder.end(), shipped);
  if (at == ladder.end()) return {};
  ladder.erase(ladder.begin(), at + 1);
  // Neither of these two is weaker than the other.
  if (shipped == order::acquire) std::erase(ladder, order::release);
  return ladder;
}

second_opinion read_second_opinion(std::istream& from) {
  constexpr std::string_view bar = " | ";
  second_opinion read;
  for (std::string line; std::getline(from, line);) {
    if (line.empty() || line.front() == '#') continue;
    std::vector<std::string> fields;
    std::size_t begin = 0;
    for (std::size_t end; fields.size() < 3 && (end = line.find(bar, begin)) != std::string::npos;
         begin = end + bar.size()) {
      fields.push_back(line.substr(begin, end - begin));
    }
    if (fields.size() < 3) {
      read.checker = line;
    } else {
      read.verdicts[{fields[0], fields[1], fields[2]}] = line.substr(begin);
    }
  }
  return read;
}

std::vector<std::string> write_matrix(const matrix& of, const second_opinion& second,
                                      std::ostream& to, const std::string& survivors) {
  std::vector<std::string> wrong;
  if (of.sites.size() != of.operations) {
    wrong.push_back(of.protocol + ": " + of.source + " has " + std::to_string(of.operations) +
                    " orderings, and the matrix " + std::to_string(of.sites.size()) + " sites");
  }
  for (const matrix::site& site : of.sites) {
    const auto is_same = [&](const matrix::site& other) { return other.name == site.name; };
    if (std::count_if(of.sites.begin(), of.sites.end(), is_same) > 1) {
      wrong.push_back(of.protocol + ": two sites are named " + site.name);
    }
  }
  write_head(of, second, to);
  add_stale(of, second, wrong);
  std::vector<const matrix::survivor*> used;
  for (const matrix::site& site : of.sites) {
    const std::string begin = row_of(site);
    if (site.mutants.empty()) to << begin << "– | nothing to weaken | – |\n";
    const std::vector<fate> fates = try_mutants(of, site, survivors);
    for (std::size_t i = 0; i < fates.size(); ++i) {
      const matrix::mutant& mutant = site.mutants[i];
      const fate& found = fates[i];
      const std::string how_long =
          found.executions == 0 ? "survived, as `" + site.mutants.back().weakened_to + "` does"
                                : "survived " + std::to_string(found.executions) + " executions";
      const matrix::survivor* const why = justification_for(of, site.name, mutant.weakened_to);
      const std::string also = verdict_on(second, {of.protocol, site.name, mutant.weakened_to});
      to << begin << mutant.weakened_to << " | ";
      if (found.killer != nullptr) {
        to << "killed: `" << found.killer->name << "`, " << found.killer->threads
           << " threads, execution " << found.last.executions << " of "
           << verify::to_string(found.how) << ": " << found.last.outcome;
        if (why != nullptr && why->weakened_to != "*") {
          wrong.push_back(of.protocol + ": " + site.name + " " + mutant.weakened_to +
                          " is killed, so the reason for its survival is wrong");
        }
      } else if (why != nullptr) {
        used.push_back(why);
        to << how_long << ". " << to_string(why->why) << ": " << why->reason;
        if (const std::string_view how = refuted(why->why, also); !how.empty()) {
          wrong.push_back(of.protocol + ": " + site.name + ' ' + mutant.weakened_to +
                          std::string(how));
        }
      } else {
        to << how_long;
        wrong.push_back(of.protocol + ": " + site.name + " " + mutant.weakened_to +
                        " survives without a reason");
      }
      to << " | " << also << " |\n";
    }
  }
  for (const matrix::survivor& each : of.survivors) {
    if (std::find(used.begin(), used.end(), &each) == used.end()) {
      wrong.push_back(of.protocol + ": " + each.site + " " + each.weakened_to +
                      " has a reason for its survival, and nothing that survives");
    }
  }
  return wrong;
}

int run_checks(int argc, char** argv, const std::vector<check>& checks,
               const std::vector<matrix>& matrices) {
  const std::string_view command = argc < 2 ? "" : argv[1];
  if (command == "--mutants" && argc == 2) {
    for (const matrix& each : matrices) print_mutants(each);
    return 0;
  }
  const bool is_usual = command == "--usual-orderings";
  if ((command != "--orderings" && !is_usual) || argc < 3 || argc > 4) {
    return run_checks(argc, argv, checks);
  }
  std::vector<std::string> texts;
  for (int i = 2; i < argc; ++i) {
    std::ifstream in(argv[i]);
    if (!in) {
      std::cerr << "Cannot read '" << argv[i] << "'.\n";
      return 2;
    }
    texts.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  }
  std::istringstream second_text(texts.front());
  const second_opinion second = read_second_opinion(second_text);
  bool right = true;
  for (const matrix& each : matrices) {
    if (each.is_nightly && is_usual) continue;
    const std::string heading = heading_of(each);
    const std::string recorded = texts.size() > 1 ? section_in(texts[1], heading) : std::string();
    std::ostringstream section;
    for (const std::string& complaint :
         write_matrix(each, second, section, is_usual ? recorded : std::string())) {
      std::cerr << complaint << '\n';
      right = false;
    }
    if (texts.size() > 1) {
      right &= same(section.str(), recorded, heading);
    } else {
      std::cout << section.str() << '\n' << std::flush;
    }
  }
  return right ? 0 : 1;
}

}  // namespace stealbench::verify
