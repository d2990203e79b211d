#include <stealbench/schedulers/central_queue/scheduler.hpp>
#include <stealbench/schedulers/continuation_stealing/scheduler.hpp>
#include <stealbench/schedulers/work_stealing/scheduler.hpp>

#include "uses.hpp"

using namespace stealbench;

/// Whether the schedulers work here, and the options that the program has made are seen.
extern "C" [[gnu::visibility("default")]] bool plugin(const schedulers::options& options) {
  return host::works<work_stealing::scheduler>(options) &&
         host::works<continuation_stealing::scheduler>(options) &&
         schedulers::own_options<central_queue::options>(options).order ==
             central_queue::taking_order::lifo;
}
