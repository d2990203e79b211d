#include "verify/mutation.hpp"

#include <algorithm>
#include <fstream>
#include <iostream>
#include <ostream>
#include <sstream>

namespace stealbench::verify {
namespace {

using engine::order;

constexpr int skipped = 77;  // As an exit status, for CTest: SKIP_RETURN_CODE.

constexpr search first_look = random(10'000);

constexpr std::string_view bar = " | ";
constexpr std::string_view survived = "survived ";
constexpr std::string_view no_site = "shipped";  // Of a verdict with nothing weakened.

bool says_killed(const std::string& verdict) { return verdict.find("killed") != std::string::npos; }

// How the trial fails, or nothing. Adds the executions that it took.
std::string failure_of(const trial& each, const search& s, std::uint64_t& executions) {
  const verdict last = each.explore(s);
  executions += last.executions;
  if (last.outcome == passes) return {};
  return "killed: `" + each.name + "`, " + std::to_string(each.threads) + " threads, execution " +
         std::to_string(last.executions) + " of " + verify::to_string(s) + ": " + last.outcome;
}

std::string try_mutant(const matrix& tested, const matrix::mutant& mutant) {
  std::uint64_t executions = 0;
  for (const bool deep : {false, true}) {
    for (const trial& each : tested.trials) {
      mutant.weaken();
      std::string failure = failure_of(each, deep ? each.deep : first_look, executions);
      tested.restore();
      if (!failure.empty()) return failure;
    }
  }
  return std::string(survived) + std::to_string(executions) + " executions";
}

// What fails with nothing weakened would kill every mutant. Deep searches where mutants have them.
void try_shipped(const matrix& tested, bool deep, verdicts& all) {
  std::uint64_t executions = 0;
  tested.restore();
  for (const trial& each : tested.trials) {
    std::string failure = failure_of(each, first_look, executions);
    if (failure.empty() && deep) failure = failure_of(each, each.deep, executions);
    if (!failure.empty()) all[{tested.protocol, std::string(no_site), each.name}] = failure;
  }
}

const matrix::survivor* justification_for(const matrix& tested, const std::string& site,
                                          const std::string& weakened_to) {
  const auto found = std::ranges::find_if(tested.survivors, [&](const matrix::survivor& each) {
    return each.site == site && (each.weakened_to == weakened_to || each.weakened_to == "*");
  });
  return found == tested.survivors.end() ? nullptr : &*found;
}

std::string_view to_string(justification why) {
  if (why == justification::equivalent) return "equivalent mutant";
  return why == justification::invisible ? "invisible to Relacy" : "argued";
}

// What is wrong with the survivor's justification, in the light of the second opinion; or nothing.
std::string_view refuted(justification why, const std::string& second) {
  const bool killed = says_killed(second);
  if (killed == (why == justification::invisible)) return {};
  if (!killed) {
    return " is not killed by the second checker, so that it is invisible is no justification";
  }
  return why == justification::equivalent
             ? " is killed by the second checker, so it is no equivalent mutant"
             : " is killed by the second checker, so it is invisible to Relacy alone";
}

// Second verdicts that no mutant of the matrix has any more, a line each.
void add_stale(const matrix& tested, const verdicts& relacy, const verdicts& second,
               std::vector<std::string>& wrong) {
  for (const auto& [about, verdict] : second) {
    if (about.protocol != tested.protocol) continue;
    if (about.site == no_site ? says_killed(verdict) : relacy.count(about) == 0) {
      wrong.push_back(tested.protocol + ": on record is '" + verdict + "' of " + about.site + ' ' +
                      about.weakened_to);
    }
  }
}

std::string verdict_on(const verdicts& all, const mutant_name& about) {
  const auto found = all.find(about);
  return found == all.end() ? "–" : found->second;
}

constexpr char tab = '\t';

// The row of the protocol as it is shipped: what searches its mutants.
void write_shipped(const matrix& tested, const verdict_file& second, std::ostream& to) {
  const mutant_name about{tested.protocol, std::string(no_site), ""};
  to << tested.protocol << tab << tested.source << tab << no_site << "\t–\t–\t–\tnothing\tby";
  const char* separator = " ";
  for (const trial& each : tested.trials) {
    to << separator << '`' << each.name << "` (" << each.threads << " threads, "
       << verify::to_string(each.deep) << ')';
    separator = ", ";
  }
  to << "\t–\t–\t";
  if (second.by_mutant.count(about) != 0) to << second.checker << ": ";
  to << verdict_on(second.by_mutant, about) << '\n';
}

// Of each site the weakest mutant first: where it survives, the others need not be tried.
void print_mutants(const matrix& tested) {
  std::cout << "protocol " << tested.protocol << '\n';
  for (const trial& each : tested.trials) std::cout << "script " << each.name << '\n';
  for (const matrix::site& site : tested.sites) {
    for (auto each = site.mutants.rbegin(); each != site.mutants.rend(); ++each) {
      std::cout << "mutant " << site.name << ' ' << each->weakened_to << '\n';
    }
  }
}

// Says where the two part; false if they do.
bool same(const verdicts& now, const verdicts& on_record, const std::string& protocol) {
  verdicts all = now;
  for (const auto& [about, verdict] : on_record) {
    if (about.protocol == protocol) all.emplace(about, verdict);
  }
  for (const auto& [about, any] : all) {
    const std::string is = verdict_on(now, about);
    const std::string was = verdict_on(on_record, about);
    if (is == was) continue;
    std::cerr << "On record of " << protocol << ", " << about.site << ' ' << about.weakened_to
              << ":\n  " << was << "\nbut now:\n  " << is
              << "\nThe target 'orderings' writes the record anew.\n";
    return false;
  }
  return true;
}

}  // namespace

std::string_view to_string(order o) {
  using enum order;
  static const std::map<order, std::string_view> names{{none, "none"},       {relaxed, "relaxed"},
                                                       {acquire, "acquire"}, {release, "release"},
                                                       {acq_rel, "acq_rel"}, {seq_cst, "seq_cst"}};
  return names.at(o);
}

std::string_view to_string(operation what) {
  using enum operation;
  static const std::map<operation, std::string_view> names{{load, "load"},
                                                           {store, "store"},
                                                           {read_modify_write, "read-modify-write"},
                                                           {fence, "fence"},
                                                           {step, "step"}};
  return names.at(what);
}

std::vector<order> weaker(operation what, order shipped) {
  using enum order;
  static const std::map<operation, std::vector<order>> ladders{
      {operation::load, {seq_cst, acquire, relaxed}},
      {operation::store, {seq_cst, release, relaxed}},
      {operation::read_modify_write, {seq_cst, acq_rel, acquire, release, relaxed}},
      {operation::fence, {seq_cst, acq_rel, acquire, release, none}},
      {operation::step, {}}};
  std::vector<order> ladder = ladders.at(what);
  const auto at = std::find(ladder.begin(), ladder.end(), shipped);
  if (at == ladder.end()) return {};
  ladder.erase(ladder.begin(), at + 1);
  // Neither of these two is weaker than the other.
  if (shipped == order::acquire) std::erase(ladder, order::release);
  return ladder;
}

verdict_file read_verdicts(std::istream& in) {
  verdict_file read;
  for (std::string line; std::getline(in, line);) {
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
      read.by_mutant[{fields[0], fields[1], fields[2]}] = line.substr(begin);
    }
  }
  return read;
}

void write_verdicts(const verdicts& all, std::ostream& to) {
  for (const auto& [about, verdict] : all) {
    to << about.protocol << bar << about.site << bar << about.weakened_to << bar << verdict << '\n';
  }
}

// The last mutant of a site is the weakest, and allows whatever the others allow: where it
// survives, so do they, and are not tried. Nor are the survivors on record.
verdicts try_mutants(const matrix& tested, const verdicts& record) {
  verdicts all;
  try_shipped(tested, record.empty(), all);
  for (const matrix::site& site : tested.sites) {
    const auto verdict_of = [&](const matrix::mutant& mutant) {
      const std::string known =
          verdict_on(record, {tested.protocol, site.name, mutant.weakened_to});
      const bool has_reason = justification_for(tested, site.name, mutant.weakened_to) != nullptr;
      return has_reason && known.rfind(survived, 0) == 0 ? known : try_mutant(tested, mutant);
    };
    std::string instead;  // What those say that need not be tried.
    for (auto each = site.mutants.rbegin(); each != site.mutants.rend(); ++each) {
      std::string& verdict = all[{tested.protocol, site.name, each->weakened_to}];
      verdict = instead.empty() ? verdict_of(*each) : instead;
      if (each == site.mutants.rbegin() && !says_killed(verdict)) {
        instead = "survived, as `" + each->weakened_to + "` does";
      }
    }
  }
  return all;
}

std::vector<std::string> wrong_with(const matrix& tested, const verdicts& relacy,
                                    const verdict_file& second) {
  std::vector<std::string> wrong;
  if (tested.sites.size() != tested.operations) {
    wrong.push_back(tested.protocol + ": " + tested.source + " has " +
                    std::to_string(tested.operations) + " orderings, and the matrix " +
                    std::to_string(tested.sites.size()) + " sites");
  }
  for (const matrix::site& site : tested.sites) {
    if (std::ranges::count(tested.sites, site.name, &matrix::site::name) > 1) {
      wrong.push_back(tested.protocol + ": two sites are named " + site.name);
    }
    if (site.mutants.empty() && site.shipped != "relaxed") {
      wrong.push_back(tested.protocol + ": " + site.name + " is shipped " + site.shipped +
                      ", which a " + std::string(to_string(site.what)) + " cannot be");
    }
  }
  add_stale(tested, relacy, second.by_mutant, wrong);
  std::vector<const matrix::survivor*> used;
  for (const auto& [about, verdict] : relacy) {
    const std::string mutant = tested.protocol + ": " + about.site + ' ' + about.weakened_to;
    const matrix::survivor* const why = justification_for(tested, about.site, about.weakened_to);
    if (about.site == no_site) {
      wrong.push_back(tested.protocol + " fails with nothing weakened, " + verdict);
    } else if (says_killed(verdict)) {
      if (why != nullptr && why->weakened_to != "*") {
        wrong.push_back(mutant + " is killed, so the reason for its survival is wrong");
      }
    } else if (why == nullptr) {
      wrong.push_back(mutant + " survives without a reason");
    } else {
      used.push_back(why);
      const std::string_view how = refuted(why->why, verdict_on(second.by_mutant, about));
      if (!how.empty()) wrong.push_back(mutant + std::string(how));
    }
  }
  for (const matrix::survivor& each : tested.survivors) {
    if (std::find(used.begin(), used.end(), &each) == used.end()) {
      wrong.push_back(tested.protocol + ": " + each.site + " " + each.weakened_to +
                      " has a reason for its survival, and nothing that survives");
    }
  }
  return wrong;
}

void write_rows(const matrix& tested, const verdicts& relacy, const verdict_file& second,
                std::ostream& to) {
  write_shipped(tested, second, to);
  for (const matrix::site& site : tested.sites) {
    std::ostringstream begin;
    begin << tested.protocol << tab << tested.source << tab << site.name << tab
          << to_string(site.what) << tab << site.shipped << tab << site.partner << tab;
    if (site.mutants.empty()) to << begin.str() << "–\tnothing to weaken\t–\t–\t–\n";
    for (const matrix::mutant& mutant : site.mutants) {
      const mutant_name about{tested.protocol, site.name, mutant.weakened_to};
      const std::string verdict = verdict_on(relacy, about);
      to << begin.str() << mutant.weakened_to << tab << verdict << tab;
      const matrix::survivor* const why = justification_for(tested, site.name, mutant.weakened_to);
      if (why != nullptr && !says_killed(verdict)) {
        to << to_string(why->why) << tab << why->reason;
      } else {
        to << "–\t–";
      }
      to << tab << verdict_on(second.by_mutant, about) << '\n';
    }
  }
}

int run_checks(int argc, char** argv, const std::vector<check>& checks,
               const std::vector<matrix>& matrices) {
  const std::string_view command = argc < 2 ? "" : argv[1];
  if (command == "--mutants" && argc == 2) {
    for (const matrix& each : matrices) print_mutants(each);
    return 0;
  }
  if (command == "--orderings" && argc == 2) {
    for (const matrix& each : matrices) {
      write_verdicts(try_mutants(each), std::cout);
      std::cout.flush();
    }
    return 0;
  }
  const bool is_usual = command == "--usual-orderings";
  const bool is_table = command == "--table";
  if ((command != "--orderings" && !is_usual && !is_table) || argc != 4) {
    return run_checks(argc, argv, checks);
  }
  std::vector<verdict_file> files;
  for (int i = 2; i < argc; ++i) {
    std::ifstream in(argv[i]);
    if (!in) {
      std::cerr << "Cannot read '" << argv[i] << "'.\n";
      return 2;
    }
    files.push_back(read_verdicts(in));
  }
  if (matrices.empty() && !is_table) {
    std::cout << "There is no ordering matrix: verify/README.md says how one is added.\n";
    return skipped;
  }
  const verdict_file& second = files[0];
  const verdicts& record = files[1].by_mutant;
  bool right = true;
  for (const matrix& each : matrices) {
    if (is_table) {
      write_rows(each, record, second, std::cout);
    } else if (!each.is_nightly || !is_usual) {
      const verdicts now = try_mutants(each, is_usual ? record : verdicts());
      for (const std::string& complaint : wrong_with(each, now, second)) {
        std::cerr << complaint << '\n';
        right = false;
      }
      right &= same(now, record, each.protocol);
    }
  }
  return right ? 0 : 1;
}

}  // namespace stealbench::verify
