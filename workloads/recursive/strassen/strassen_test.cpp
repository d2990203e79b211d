#include "workloads/recursive/strassen/strassen.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "schedulers/serial/scheduler.hpp"
#include "workloads/prepared_fixture.hpp"

namespace stealbench::strassen {
namespace {

constexpr auto& prepared = workloads::prepared<workload>;

TEST(Strassen, IsTheProductByDefinition) {
  for (const char* n : {"1", "2", "16", "32", "64"}) {
    workload::input in = prepared({{"n", n}, {"leaf", "16"}});
    workload::run(serial::worker{}, in);
    dense::matrix expected(in.c.side());
    dense::add_product(expected.all(), in.a.all(), in.b.all());
    EXPECT_EQ(dense::fingerprint(in.c.all()), dense::fingerprint(expected.all())) << n;
  }
}

TEST(Strassen, NoticesALostProductOfTheFirstStep) {
  workload::input in = prepared({{"n", "64"}, {"leaf", "16"}});
  const workload::output out = workload::run(serial::worker{}, in);
  // The second product, (A21 + A22) B11, belongs to C21 and, taken away, to C22.
  const node step(in.c.all(), in.a.all(), in.b.all());
  const operand& sum = step.part(1).left;
  for (std::size_t i = 0; i < step.half(); ++i) sum.add_row(i);
  dense::add_product(in.c.all().below(32).left(32), sum.value(), step.part(1).right.value(), -1);
  EXPECT_EQ(workload::verify(in, out), false);
}

TEST(Strassen, RefusesWhatIsNoPowerOfTwo) {
  EXPECT_THROW(prepared({{"n", "100"}}), kit::bad_input);
  EXPECT_THROW(prepared({{"n", "128"}, {"leaf", "24"}}), kit::bad_input);
}

}  // namespace
}  // namespace stealbench::strassen
