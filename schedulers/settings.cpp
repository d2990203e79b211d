#include "schedulers/settings.hpp"

#include <map>

#include "schedulers/central_queue/options.hpp"
#include "schedulers/cluster/options.hpp"
#include "schedulers/continuation_stealing/options.hpp"
#include "schedulers/engine/settings.hpp"
#include "schedulers/push_migration/options.hpp"
#include "schedulers/setting_row.hpp"
#include "schedulers/work_sharing/options.hpp"
#include "schedulers/work_stealing/options.hpp"

namespace stealbench::schedulers {
namespace {

// A scheduler with settings is a line here. A new setting is a row of its room, a new value a word.
const std::vector<row>& rows_of(std::string_view scheduler) {
  static const std::map<std::string_view, std::vector<row>> rooms{
      {"work-stealing", work_stealing::setting_rows()},
      {"continuation-stealing", continuation_stealing::setting_rows()},
      {"central-queue", central_queue::setting_rows()},
      {"pull-migration", {engine::split_row()}},
      {"mpi", cluster::setting_rows()},
      {"push-migration", push_migration::setting_rows()},
      {"work-sharing", work_sharing::setting_rows()}};
  static const std::vector<row> none;
  const auto found = rooms.find(scheduler);
  return found == rooms.end() ? none : found->second;
}

}  // namespace

std::vector<setting> settings_of(std::string_view scheduler) {
  std::vector<setting> all;
  for (const row& each : rows_of(scheduler)) all.push_back(each.what);
  return all;
}

void apply(std::string_view scheduler, const variant& chosen, options& options) {
  for (const row& each : rows_of(scheduler)) each.apply(chosen.value_of(each.what.name), options);
}

}  // namespace stealbench::schedulers
