// Follows a program in its serial order and adds up its strands, as Cilkprof does (Schardl et al.,
// "The Cilkprof scalability profiler", SPAA 2015): the longest path from the program's start to its
// present point grows with each strand, is kept where the program forks, and joins as a maximum.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "schedulers/work_span/record.hpp"

namespace stealbench::work_span {

struct settings {
  double unit_ns = 0;    ///< The price of a unit of work; 0: the clock tells how long strands are.
  double clock_ns = 1;   ///< What a ns of the clock counts for.
  double burden_ns = 0;  ///< What a steal costs, for the burdened span.
  std::uint64_t (*clock)() = nullptr;  ///< In ns; null: the thread's processor time.
};

/// The longest path from the program's start to a point of it, and of which strands it consists.
struct path {
  double ns = 0;
  double burdened_ns = 0;
  std::uint64_t burdens = 0;  ///< In burdened_ns.
  std::uint64_t units = 0;
  std::array<double, most_places> ns_at = {};
  std::array<double, most_depths> ns_at_depth = {};

  /// The longest of two paths that meet. Each of the three lengths has a maximum of its own.
  void join(const path& other);
};

/// Of one run. A strand ends at each call in the program that forks or joins, and another one
/// begins with a branch, or as the call returns: what happens in between is not the program's. Not
/// thread-safe.
class recorder {
 public:
  explicit recorder(const settings& chosen);
  recorder(const recorder&) = delete;
  recorder& operator=(const recorder&) = delete;

  /// The running strand has done `units` of the workload's work.
  void work(std::uint64_t units) { units_ += units; }

  /// Branches that may run in parallel with what follows their spawn, until they are joined.
  class children {
   public:
    explicit children(recorder& owner) : owner_(owner) {}
    children(const children&) = delete;
    children& operator=(const children&) = delete;
    /// Joins, unless all are joined: then what runs still belongs to their sync.
    ~children() {
      if (live_ > 0) join(place_);
    }

    /// The program offers `tasks` here, which count as one that is live until they are joined.
    /// Ends a strand, and the first child begins the next one.
    void offer(task_kind kind, std::uint64_t tasks, const char* file, unsigned line);
    /// The program goes on behind its spawn.
    void resume() { owner_.begin_strand(place_); }
    /// The program goes on at the end of the longest child, or of its own path if that is longer.
    void join(const char* file, unsigned line) { join(owner_.place_of(file, line)); }

   private:
    friend recorder;
    void join(std::size_t place);

    recorder& owner_;
    std::size_t place_ = 0;  ///< Of the latest offer.
    std::uint64_t live_ = 0;
    std::uint64_t most_live_inside_ = 0;  ///< In any one child.
    path longest_;
  };

  /// The branch that runs while this exists. One that is stolen has to pay for it.
  class child {
   public:
    child(children& siblings, bool is_stolen);
    child(const child&) = delete;
    child& operator=(const child&) = delete;
    ~child();

   private:
    children& siblings_;
    path parent_;
    std::uint64_t parent_live_;
    std::uint64_t parent_most_live_;
  };

  /// Ends the last strand. The recorder has no further use.
  [[nodiscard]] record end();

 private:
  void end_strand();
  void begin_strand(std::size_t place);
  void add_over_time(double begin, double ns);
  [[nodiscard]] std::size_t place_of(const char* file, unsigned line);

  settings chosen_;
  std::uint64_t clock_price_ns_ = 0;  ///< What two successive readings are apart.
  record seen_;
  path path_;
  std::size_t place_ = 0;  ///< At which the running strand began.
  std::uint64_t depth_ = 0;
  std::uint64_t live_ = 0;  ///< Of the running child alone: its siblings are not all spawned yet.
  std::uint64_t most_live_ = 0;
  bool is_running_ = false;  ///< A strand, and not what is between two.
  std::uint64_t units_ = 0;  ///< Of the running strand.
  std::uint64_t began_ = 0;
};

}  // namespace stealbench::work_span
