// A host program: every scheduler of ours that needs no other library, here and in a plugin.
#include <cstdio>

#include <dlfcn.h>
#include <stealbench/schedulers/busy_leaves/scheduler.hpp>
#include <stealbench/schedulers/central_queue/scheduler.hpp>
#include <stealbench/schedulers/continuation_stealing/scheduler.hpp>
#include <stealbench/schedulers/depth_first/scheduler.hpp>
#include <stealbench/schedulers/pull_migration/scheduler.hpp>
#include <stealbench/schedulers/push_migration/scheduler.hpp>
#include <stealbench/schedulers/serial/scheduler.hpp>
#include <stealbench/schedulers/static_partition/scheduler.hpp>
#include <stealbench/schedulers/std_async/scheduler.hpp>
#include <stealbench/schedulers/work_sharing/scheduler.hpp>
#include <stealbench/schedulers/work_stealing/scheduler.hpp>

#include "uses.hpp"

using namespace stealbench;

namespace {

template <class... Schedulers>
bool all_work() {
  return (
      host::works<Schedulers>({.workers = Schedulers::name == serial::scheduler::name ? 1U : 2U}) &&
      ...);
}

bool plugin_works(const char* file) {
  void* const loaded = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  if (loaded == nullptr) {
    std::fprintf(stderr, "%s\n", dlerror());
    return false;
  }
  const auto plugin =
      reinterpret_cast<bool (*)(const schedulers::options&)>(dlsym(loaded, "plugin"));
  return plugin != nullptr &&
         plugin({.workers = 2,
                 .own = central_queue::options{.order = central_queue::taking_order::lifo}});
}

}  // namespace

int main(int argc, char** argv) {
  const bool all =
      all_work<busy_leaves::scheduler, central_queue::scheduler, continuation_stealing::scheduler,
               depth_first::scheduler, pull_migration::scheduler, push_migration::scheduler,
               serial::scheduler, static_partition::scheduler, std_async::scheduler,
               work_sharing::scheduler, work_stealing::scheduler>() &&
      host::works<work_stealing::scheduler>(
          {.workers = 3,
           .own = work_stealing::options{.victim = work_stealing::victim_choice::nearest}});
  for (int i = 1; i < argc; ++i) {
    if (!plugin_works(argv[i])) {
      std::fprintf(stderr, "the plugin does not work\n");
      return 1;
    }
  }
  std::puts(all ? "all work" : "one does not work");
  return all ? 0 : 1;
}
