#include "schedulers/settings.hpp"

#include <map>
#include <string_view>

#include "schedulers/setting_row.hpp"
#include "schedulers/work_stealing/settings.hpp"

namespace stealbench::schedulers {
namespace {

row split_row() {
  return row_of({"work-stealing", "central-queue", "pull-migration"}, "split", "how a loop is cut",
                whole, &options::split,
                {{"lazy",
                  loop_split::lazy,
                  {.summary = "in two, whenever another worker asks for work",
                   .paper = "Tzannes, Caragea, Barua & Vishkin 2010"}},
                 {"eager", loop_split::eager, {.summary = "into pieces of a grain, at the start"}},
                 {"auto",
                  loop_split::automatic,
                  {.summary = "into at most 4 pieces for each worker at the start, then lazily",
                   .paper = "oneTBB's auto_partitioner"}},
                 {"guided",
                  loop_split::guided,
                  {.summary = "into ever shorter pieces, which workers take from a counter",
                   .paper = "Polychronopoulos & Kuck 1987"}}});
}

row order_row() {
  using central_queue::taking_order;
  const auto own = [](options& all) -> central_queue::options& { return all.central; };
  return row_of({"central-queue"}, "order", "which job an idle worker takes", +own,
                &central_queue::options::order,
                {{"fifo", taking_order::fifo, {.summary = "the oldest"}},
                 {"lifo", taking_order::lifo, {.summary = "the newest"}}});
}

row place_row() {
  using work_sharing::placement_rule;
  const auto own = [](options& all) -> work_sharing::options& { return all.sharing; };
  return row_of({"work-sharing"}, "place", "whose inbox a new job goes to", +own,
                &work_sharing::options::place,
                {{"turn", placement_rule::turn, {.summary = "each worker's in turn"}},
                 {"random", placement_rule::random, {.summary = "any worker's"}},
                 {"least", placement_rule::least, {.summary = "the one with the fewest jobs"}}});
}

row balance_row() {
  const auto own = [](options& all) -> push_migration::options& { return all.pushing; };
  return row_of({"push-migration"}, "balance", "after how many pushes a worker balances the queues",
                +own, &push_migration::options::period,
                {{"16", 16U, {.summary = "every 16th push of a worker"}},
                 {"1", 1U, {.summary = "every push"}},
                 {"4", 4U, {.summary = "every fourth push"}},
                 {"64", 64U, {.summary = "every 64th push"}}});
}

// A new setting is a row here, or in the table of a room that has many; a new value is a word. The
// first value is the default. The option that a row sets is declared and used by the scheduler.
std::vector<row> table() {
  std::vector<row> all = work_stealing::setting_rows();
  for (row (*const each)() : {&split_row, &order_row, &place_row, &balance_row}) {
    all.push_back(each());
  }
  return all;
}

const std::vector<row>& rows() {
  static const std::vector<row> all = table();
  return all;
}

}  // namespace

const std::vector<setting>& settings_of(std::string_view scheduler) {
  static const auto by_scheduler = [] {
    std::map<std::string_view, std::vector<setting>> made;
    for (const row& each : rows()) {
      for (const std::string_view name : each.schedulers) made[name].push_back(each.what);
    }
    return made;
  }();
  static const std::vector<setting> none;
  const auto found = by_scheduler.find(scheduler);
  return found == by_scheduler.end() ? none : found->second;
}

void apply(const variant& chosen, options& options) {
  // A setting that the scheduler does not have is without a value, which is no word of any row.
  for (const row& each : rows()) each.apply(chosen.value_of(each.what.name), options);
}

}  // namespace stealbench::schedulers
