// The options of push migration alone.
#pragma once

namespace stealbench::push_migration {

struct options {
  /// How many jobs a worker pushes from one balancing step to its next: at least 1.
  unsigned period = 16;
};

}  // namespace stealbench::push_migration
