// The ordering matrix of a protocol: each of its atomic operations, each weaker order for it, and
// what becomes of the protocol then. Knows nothing of Relacy, nor of the second checker, whose
// verdicts it reads from a file.
//
// A mutant is made at run time: the protocol reads its orderings struct through a reference that
// is a template argument, and here that object is not constant.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include <boost/pfr/core.hpp>
#include <boost/pfr/tuple_size.hpp>

#include "schedulers/engine/memory_model.hpp"
#include "verify/check.hpp"

namespace stealbench::verify {

enum class operation : std::uint8_t {
  load,
  store,
  read_modify_write,
  fence,
  step,  ///< A fence, or what stands in for one, that the protocol passes or not: a bool.
  mode   ///< A bool that chooses between two protocols: no mutant.
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
  std::function<verdict(const search&, std::ostream&)> explore;
};

/// Why a mutant may survive.
enum class justification : std::uint8_t {
  equivalent,  ///< The weaker order is enough, and why the stronger one is shipped nevertheless.
  invisible,   ///< Relacy cannot show the difference, as a litmus test says; the second checker
               ///< does.
  argued       ///< Neither checker shows a difference, and C++20 wants the order nevertheless.
};

/// What the second checker found, in executions that are on record: where it is absent the record
/// stands.
struct second_opinion {
  struct mutant {
    std::string protocol;
    std::string site;         ///< "shipped": nothing is weakened.
    std::string weakened_to;  ///< "" for that.
    friend bool operator<(const mutant& a, const mutant& b) {
      return std::tie(a.protocol, a.site, a.weakened_to) <
             std::tie(b.protocol, b.site, b.weakened_to);
    }
  };
  std::string checker;  ///< Its name and version.
  std::map<mutant, std::string> verdicts;
};

/// Lines "protocol | site | weakened to | verdict"; a '#' begins a comment, and the line without a
/// '|' names the checker. A mutant is killed if the verdict says so.
[[nodiscard]] second_opinion read_second_opinion(std::istream& from);

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

/// The sites of a protocol that reads `weakened`; each mutant begins with the `shipped` orderings.
template <class Orderings>
[[nodiscard]] matrix matrix_of(std::string protocol, std::string source, const Orderings& shipped,
                               Orderings& weakened, const std::vector<site_of<Orderings>>& sites) {
  matrix all{std::move(protocol),
             std::move(source),
             boost::pfr::tuple_size_v<Orderings>,
             {},
             [&weakened, &shipped] { weakened = shipped; },
             {},
             {}};
  for (const site_of<Orderings>& each : sites) {
    matrix::site made{each.name, each.what, "", each.partner, {}};
    if (const auto* flag = std::get_if<bool Orderings::*>(&each.member)) {
      made.shipped = shipped.**flag ? "yes" : "no";
      if (each.what == operation::step && shipped.**flag) {
        made.mutants.push_back({"left out", [&weakened, &shipped, member = *flag] {
                                  weakened = shipped;
                                  weakened.*member = false;
                                }});
      }
    } else {
      const auto member = std::get<engine::order Orderings::*>(each.member);
      made.shipped = to_string(shipped.*member);
      for (const engine::order order : weaker(each.what, shipped.*member)) {
        made.mutants.push_back(
            {std::string(to_string(order)), [&weakened, &shipped, member, order] {
               weakened = shipped;
               weakened.*member = order;
             }});
      }
    }
    all.sites.push_back(std::move(made));
  }
  return all;
}

/// Tries every mutant and writes the matrix as a section of Markdown. Returns what is wrong with
/// it, a line each: a member without a site or with two, a survivor without a justification or with
/// one that the second opinion refutes, a justification or a second verdict for nothing. A mutant
/// that has a justification, and survives in the section `survivors`, is not tried: a survivor is
/// searched to the end, which takes longer than all that are killed.
[[nodiscard]] std::vector<std::string> write_matrix(const matrix& of, const second_opinion& second,
                                                    std::ostream& to,
                                                    const std::string& survivors = {});

/// The main() of an executable with checks and matrices. As run_checks(), and
///   --mutants                    prints each matrix's scripts and mutants, for the second checker
///   --orderings SECOND           tries every mutant and prints the matrices, with the verdicts of
///                                the file SECOND beside Relacy's
///   --orderings SECOND RECORD    tries them, and compares with RECORD under the same headings
///   --usual-orderings SECOND RECORD
///                                the same without matrices that are nightly, and without
///                                trying again what survives in RECORD for a reason
/// Returns 1 if something is wrong with a matrix, or RECORD says otherwise; 2 for a bad command
/// line.
[[nodiscard]] int run_checks(int argc, char** argv, const std::vector<check>& checks,
                             const std::vector<matrix>& matrices);

}  // namespace stealbench::verify
