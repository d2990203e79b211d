// The workloads that have a distributed form, on ranks with one kind of pool: compiled once for
// each.
#include "bench/cluster/strategy.hpp"

#include <memory>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "bench/cell/program.hpp"
#include "bench/cluster/search.hpp"
#include "schedulers/settings.hpp"
#include "workloads/recursive/integrate/distributed.hpp"
#include "workloads/recursive/knapsack/distributed.hpp"
#include "workloads/recursive/nqueens/distributed.hpp"
#include "workloads/recursive/uts/distributed.hpp"

#include STEALBENCH_SCHEDULER_HEADER

namespace stealbench::cluster {
namespace {

using nlohmann::json;
using pool = STEALBENCH_SCHEDULER;

/// A workload is one type here.
using forms = std::tuple<integrate::distributed, knapsack::distributed, nqueens::distributed,
                         uts::distributed>;

nlohmann::ordered_json json_of(const rank_counts& counts) {
  return {{"expanded", counts.expanded},     {"made", counts.made},
          {"tasks_sent", counts.tasks_sent}, {"tasks_received", counts.tasks_received},
          {"requests", counts.requests},     {"refusals", counts.refusals},
          {"steals", counts.steals},         {"gifts", counts.gifts},
          {"reports", counts.reports}};
}

nlohmann::ordered_json json_of(const std::optional<double>& value) {
  return value ? nlohmann::ordered_json(*value) : nullptr;
}

/// What rank 0 tells the others to do.
enum class order { make, search, drop, leave };

void tell(order what, json more = {}) {
  static_cast<void>(the_world().broadcast(json{{"order", what}, {"more", std::move(more)}}.dump()));
}

/// Of rank 0: a search over all ranks is one run.
template <class Form>
class cluster_cell final : public cell::cell {
 public:
  using workload = typename Form::workload;

  cluster_cell(const schedulers::options& options, const kit::parameters& chosen)
      : began_(stealbench::cell::clock::now()), own_(the_world(), per_rank(options), chosen) {
    json set = json::array();
    for (const auto& [key, value] : chosen.all()) {
      if (chosen.was_set(key)) set.push_back({key, kit::to_string(value)});
    }
    const auto mine = schedulers::own_options<cluster::options>(options);
    tell(order::make, {{"workload", workload::describe().name},
                       {"set", set},
                       {"workers", own_.workers()},
                       {"pin", options.pin},
                       {"stack_bytes", options.stack_bytes},
                       {"how", mine.how}});
    start_up_ = stealbench::cell::clock::now() - began_;
  }
  ~cluster_cell() override { tell(order::drop); }

  void reset() override {}
  void execute() override {
    tell(order::search);
    own_.take_part();
    all_ = {};
    elsewhere_ = {};
    counts_.clear();
    for (const auto& each : own_.gathered()) {
      Form::merge(all_, each.result);
      elsewhere_ = elsewhere_ + each.used;
      counts_.push_back(each.counts);
    }
    elsewhere_ = elsewhere_ - own_.gathered().front().used;
    if (is_corrupted_) all_ = {};
  }
  [[nodiscard]] std::chrono::nanoseconds start_up() const override { return start_up_; }
  [[nodiscard]] std::optional<bool> verified() const override {
    return Form::verify(own_.input(), all_);
  }
  [[nodiscard]] nlohmann::ordered_json answer() const override {
    return workload::answer(own_.input(), Form::output_of(own_.input(), all_));
  }
  [[nodiscard]] std::uint64_t fork_count() const override {
    return workload::fork_count(own_.input(), Form::output_of(own_.input(), all_));
  }
  [[nodiscard]] unsigned worker_count() const override {
    return own_.workers() * the_world().ranks();
  }
  [[nodiscard]] nlohmann::ordered_json own_counters() const override {
    const balancing_costs costs = costs_of(counts_);
    nlohmann::ordered_json counted{
        {"search_ns", own_.took().count()},       {"steal_ns", json_of(costs.steal_ns)},
        {"split_ns", json_of(costs.split_ns)},    {"merge_ns", json_of(costs.merge_ns)},
        {"termination_ns", costs.termination_ns}, {"ranks", places()}};
    for (std::size_t i = 0; i < counts_.size(); ++i) {
      counted["ranks"][i].update(json_of(counts_[i]));
    }
    return counted;
  }
  [[nodiscard]] system::usage used_elsewhere() const override { return elsewhere_; }

 private:
  /// Of a row, which says how many workers all ranks have.
  static schedulers::options per_rank(schedulers::options options) {
    if (options.workers > 1 && !the_world().takes_threads()) {
      throw kit::bad_input(
          fmt::format("--workers {}: {} takes one thread of each rank; valid: --workers 1",
                      options.workers, world::library()));
    }
    const unsigned started = the_world().ranks();
    if (options.pin && started > 1) {
      throw kit::bad_input(
          "--pin: all ranks of a machine would have the same processors; valid: "
          "no --pin");
    }
    const unsigned ranks = schedulers::own_options<cluster::options>(options).ranks;
    if (ranks == 0) return options;
    if (ranks != started) {
      throw kit::bad_input(fmt::format("ranks={} does not hold for {}; valid: ranks=started", ranks,
                                       counted(started, "rank")));
    }
    if (options.workers % ranks != 0) {
      throw kit::bad_input(
          fmt::format("--workers {}: with ranks={} all ranks have as many; valid: a multiple of {}",
                      options.workers, ranks, ranks));
    }
    options.workers /= ranks;
    return options;
  }

  stealbench::cell::clock::time_point began_;
  part_of<pool, Form> own_;
  bool is_corrupted_ = stealbench::cell::error_is_injected(workload::describe().name);
  typename Form::result all_{};
  std::vector<rank_counts> counts_;
  system::usage elsewhere_;
  std::chrono::nanoseconds start_up_{};
};

template <class... Forms>
std::vector<cell::program> programs_of(const std::tuple<Forms...>* /*forms*/) {
  return {{Forms::workload::describe(), &cell::make_cell<cluster_cell<Forms>>,
           &cell::make_cell<cluster_cell<Forms>>}...};
}

template <class... Forms>
std::unique_ptr<part> make_part(const json& typed, const std::tuple<Forms...>* /*forms*/) {
  schedulers::options options{.workers = typed.at("workers").get<unsigned>(),
                              .pin = typed.at("pin").get<bool>(),
                              .stack_bytes = typed.at("stack_bytes").get<std::size_t>()};
  auto own = schedulers::own_options<cluster::options>(options);
  own.how = typed.at("how").get<balance>();
  options.own = own;
  std::unique_ptr<part> made;
  const auto make_if_named = [&]<class Form>(const Form* /*form*/) {
    const kit::description workload = Form::workload::describe();
    if (typed.at("workload") != workload.name) return;
    const kit::parameters chosen(workload, typed.at("set").get<std::vector<kit::assignment>>());
    made = std::make_unique<part_of<pool, Form>>(the_world(), options, chosen);
  };
  (make_if_named(static_cast<const Forms*>(nullptr)), ...);
  return made;
}

schedulers::description describe() {
  return {.group = schedulers::group::cluster,
          .summary = fmt::format("bags of tasks over ranks of Open MPI, each with a pool of {}",
                                 pool::name),
          .paper = "Saraswat, Kambadur, Kodali, Grove & Krishnamoorthy 2011"};
}

}  // namespace

void follow() {
  std::unique_ptr<part> own;
  while (true) {
    const json said = json::parse(the_world().broadcast(""));
    switch (said.at("order").get<order>()) {
      case order::make:
        own = make_part(said.at("more"), static_cast<const forms*>(nullptr));
        break;
      case order::search:
        own->take_part();
        break;
      case order::drop:
        own.reset();
        break;
      case order::leave:
        return;
    }
  }
}

void dismiss() { tell(order::leave); }

}  // namespace stealbench::cluster

namespace stealbench::cell {

const strategy& linked_strategy() {
  static const strategy linked{
      .self = {.scheduler = "mpi",
               .about = cluster::describe(),
               .library = cluster::world::library(),
               .settings = schedulers::settings_of("mpi"),
               .counters = {}},
      .deque = {},
      .programs = cluster::programs_of(static_cast<const cluster::forms*>(nullptr)),
      .measure = nullptr};
  return linked;
}

}  // namespace stealbench::cell
