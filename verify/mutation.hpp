// The ordering matrix of a protocol: each of its atomic operations, each weaker order for it, and
// what becomes of the protocol then. Knows nothing of Relacy, nor of the second checker, whose
// verdicts it reads from a file, as it does those on record.
//
// A mutant is made at run time: the protocol reads its orderings struct through a reference that
// is a template argument, and here that object, `weakened`, is not constant.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "schedulers/engine/memory_model.hpp"
#include "verify/check.hpp"
#include "verify/count_members.hpp"

namespace stealbench::verify {

enum class operation : std::uint8_t {
  load,
  store,
  read_modify_write,
  fence,
  step  ///< A fence, or what replaces one, that the protocol passes or not: a bool.
};

[[nodiscard]] std::string_view to_string(engine::order o);
[[nodiscard]] std::string_view to_string(operation what);

/// The orders for the operation that allow more than `shipped`, strongest first; `none` leaves a
/// fence out. Empty for relaxed.
[[nodiscard]] std::vector<engine::order> weaker(operation what, engine::order shipped);

/// A suite that a mutant must get past.
struct trial {
  std::string name;
  int threads;
  search deep;  ///< What follows upon a short random search.
  /// Plays the suite over the orderings that are being weakened.
  std::function<verdict(const search&)> explore;
};

/// Why a mutant may survive.
enum class justification : std::uint8_t {
  equivalent,  ///< The weaker order is enough, and why the stronger one is shipped nevertheless.
  invisible,   ///< Relacy cannot show the difference, as a litmus test says; the second checker
               ///< does.
  argued       ///< No checker that has tried it shows one, and C++20 wants the order nevertheless.
};

/// A mutant by its names.
struct mutant_name {
  std::string protocol;
  std::string site;         ///< "shipped": nothing is weakened.
  std::string weakened_to;  ///< "" for that.
  friend auto operator<=>(const mutant_name& a, const mutant_name& b) = default;  // NOLINT: its 0
};

/// What a checker has said of each mutant. It is killed if its verdict says so.
using verdicts = std::map<mutant_name, std::string>;

/// Verdicts on file: lines "protocol | site | weakened to | verdict". A '#' begins a comment, and
/// the line without a '|' names the checker.
struct verdict_file {
  std::string checker;  ///< Its name and version.
  verdicts by_mutant;
};
[[nodiscard]] verdict_file read_verdicts(std::istream& in);
void write_verdicts(const verdicts& all, std::ostream& to);

/// A protocol's matrix, its orderings struct erased.
struct matrix {
  struct mutant {
    std::string weakened_to;
    std::function<void()> weaken;
  };
  struct site {
    std::string name;
    operation what;
    std::string shipped;
    std::string partner;  ///< The site that it pairs with, or why relaxed is enough.
    std::vector<mutant> mutants;
  };
  struct survivor {
    std::string site;
    std::string weakened_to;  ///< Or "*": all weaker orders.
    justification why;
    std::string reason;
  };

  std::string protocol;
  std::string source;      ///< The header with the orderings struct.
  std::size_t operations;  ///< Members of that struct; there is a site for each.
  std::vector<site> sites;
  std::function<void()> restore;  ///< Ends the latest mutant: other matrices play the same code.
  std::vector<trial> trials;      ///< In the order in which they are tried.
  std::vector<survivor> survivors;
  /// The same protocol as that of another matrix but for a fence: tried each night alone.
  bool is_nightly = false;
};

/// One member of an orderings struct.
template <class Orderings>
struct site_of {
  const char* name;
  std::variant<engine::order Orderings::*, bool Orderings::*> member;
  operation what;
  const char* partner;
};

/// What the trials' protocol reads at run time: the shipped orderings, or a mutant's.
template <class Orderings>
Orderings weakened{};

/// The matrix of a protocol whose trials read `weakened<Orderings>`; each mutant begins with the
/// `shipped` orderings.
template <class Orderings>
[[nodiscard]] matrix matrix_of(std::string protocol, std::string source, const Orderings& shipped,
                               const std::vector<site_of<Orderings>>& sites,
                               std::vector<trial> trials,
                               std::vector<matrix::survivor> survivors = {}) {
  matrix all{std::move(protocol),
             std::move(source),
             count_members<Orderings>(),
             {},
             [&shipped] { weakened<Orderings> = shipped; },
             std::move(trials),
             std::move(survivors)};
  const auto mutant_of = [&shipped](std::string_view name, auto member, auto value) {
    return matrix::mutant{std::string(name), [&shipped, member, value] {
                            weakened<Orderings> = shipped;
                            weakened<Orderings>.*member = value;
                          }};
  };
  for (const site_of<Orderings>& each : sites) {
    matrix::site site{each.name, each.what, "", each.partner, {}};
    if (const auto* flag = std::get_if<bool Orderings::*>(&each.member)) {
      site.shipped = shipped.**flag ? "yes" : "no";
      if (shipped.**flag) site.mutants.push_back(mutant_of("left out", *flag, false));
    } else {
      const auto member = std::get<engine::order Orderings::*>(each.member);
      site.shipped = to_string(shipped.*member);
      for (const engine::order order : weaker(each.what, shipped.*member)) {
        site.mutants.push_back(mutant_of(to_string(order), member, order));
      }
    }
    all.sites.push_back(std::move(site));
  }
  return all;
}

/// Tries every mutant of the matrix, and the trials with nothing weakened. A mutant that has a
/// justification, and has survived on `record`, is not tried: a survivor is searched to the end,
/// which takes longer than all that are killed.
[[nodiscard]] verdicts try_mutants(const matrix& tested, const verdicts& record = {});

/// What is wrong with a matrix, a line each: a member without a site or with two, a survivor
/// without a justification or with one that the second checker refutes, a justification or a second
/// verdict for nothing.
[[nodiscard]] std::vector<std::string> wrong_with(const matrix& tested, const verdicts& relacy,
                                                  const verdict_file& second);

/// The matrix as lines of orderings.tsv.
void write_rows(const matrix& tested, const verdicts& relacy, const verdict_file& second,
                std::ostream& to);

/// What an executable of Relacy's checks has. It defines all_suites(), and the main() in
/// explore.cpp runs them.
struct suites {
  std::vector<check> checks;
  std::vector<matrix> matrices = {};
};
[[nodiscard]] suites all_suites();

/// The main() of an executable with checks and matrices. As run_checks(), and
///   --mutants                    prints each matrix's scripts and mutants, for the second checker
///   --orderings                  tries every mutant and prints the verdicts
///   --orderings SECOND RECORD    tries them, and compares with the verdicts of the file RECORD and
///                                the second checker's of SECOND
///   --usual-orderings SECOND RECORD
///                                the same without matrices that are nightly, and without
///                                trying again what survives in RECORD for a reason
///   --table SECOND RECORD        prints the matrices as these files have them, as TSV
/// Returns 1 if something is wrong with a matrix, or RECORD says otherwise; 2 for a bad command
/// line; 77 if there is no matrix to compare.
[[nodiscard]] int run_checks(int argc, char** argv, const std::vector<check>& checks,
                             const std::vector<matrix>& matrices);

}  // namespace stealbench::verify
