#include "verify/mutation.hpp"

#include <algorithm>
#include <fstream>
#include <iostream>
#include <iterator>
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

/// What becomes of each mutant of a site. The last one is the weakest, and allows whatever the
/// others allow: where it survives, so do they, and are not tried.
std::vector<fate> try_mutants(const matrix& of, const matrix::site& site) {
  std::vector<fate> found(site.mutants.size());
  if (found.empty()) return found;
  found.back() = try_mutant(of, site.mutants.back());
  if (found.back().killer == nullptr) return found;
  for (std::size_t i = 0; i + 1 < found.size(); ++i) found[i] = try_mutant(of, site.mutants[i]);
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

std::string_view to_string(justification why) {
  return why == justification::equivalent ? "equivalent mutant" : "invisible to Relacy";
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

std::vector<std::string> write_matrix(const matrix& of, std::ostream& to) {
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
  to << heading_of(of) << "\nOrderings: `" << of.source << "`. Scripts:";
  const char* separator = " ";
  for (const trial& each : of.trials) {
    to << separator << '`' << each.name << "` (" << each.threads << " threads, "
       << verify::to_string(each.deep) << ')';
    separator = ", ";
  }
  to << ".\n\n| site | operation | shipped | pairs with | weakened to | verdict |\n"
        "|---|---|---|---|---|---|\n";
  std::vector<const matrix::survivor*> used;
  for (const matrix::site& site : of.sites) {
    const std::string begin = "| `" + site.name + "` | " + std::string(to_string(site.what)) +
                              " | " + site.shipped + " | " + site.partner + " | ";
    if (site.mutants.empty()) to << begin << "– | nothing to weaken |\n";
    const std::vector<fate> fates = try_mutants(of, site);
    for (std::size_t i = 0; i < fates.size(); ++i) {
      const matrix::mutant& mutant = site.mutants[i];
      const fate& found = fates[i];
      const std::string how_long =
          found.executions == 0 ? "survived, as `" + site.mutants.back().weakened_to + "` does"
                                : "survived " + std::to_string(found.executions) + " executions";
      const matrix::survivor* const why = justification_for(of, site.name, mutant.weakened_to);
      to << begin << mutant.weakened_to << " | ";
      if (found.killer != nullptr) {
        to << "killed: `" << found.killer->name << "`, " << found.killer->threads
           << " threads, execution " << found.last.executions << " of "
           << verify::to_string(found.how) << ": " << found.last.outcome << " |\n";
        if (why != nullptr && why->weakened_to != "*") {
          wrong.push_back(of.protocol + ": " + site.name + " " + mutant.weakened_to +
                          " is killed, so the reason for its survival is wrong");
        }
      } else if (why != nullptr) {
        used.push_back(why);
        to << how_long << ". " << to_string(why->why) << ": " << why->reason << " |\n";
      } else {
        to << how_long << " |\n";
        wrong.push_back(of.protocol + ": " + site.name + " " + mutant.weakened_to +
                        " survives without a reason");
      }
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
  if (argc < 2 || argc > 3 || std::string_view(argv[1]) != "--orderings") {
    return run_checks(argc, argv, checks);
  }
  std::string record;
  if (argc == 3) {
    std::ifstream in(argv[2]);
    if (!in) {
      std::cerr << "Cannot read '" << argv[2] << "'.\n";
      return 2;
    }
    record.assign(std::istreambuf_iterator<char>(in), {});
  }
  bool right = true;
  for (const matrix& each : matrices) {
    std::ostringstream section;
    for (const std::string& complaint : write_matrix(each, section)) {
      std::cerr << complaint << '\n';
      right = false;
    }
    if (argc == 3) {
      const std::string heading = heading_of(each);
      right &= same(section.str(), section_in(record, heading), heading);
    } else {
      std::cout << section.str() << '\n' << std::flush;
    }
  }
  return right ? 0 : 1;
}

}  // namespace stealbench::verify
