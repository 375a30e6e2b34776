// SPDX-License-Identifier: Apache-2.0
// MPI does not promise that all ranks get the same bits of a sum of floating-point numbers. Here they do not:
// what a search is chosen by must be the same on all ranks all the same.
#include <mpi.h>

#include <cstdint>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include "all_shapes.hpp"
#include "graph/sample_graphs.hpp"
#include "mpi_main.hpp"
#include "sssp/delta_stepping.hpp"
#include "sssp/weighted_graphs.hpp"

namespace {

bool sums_differ = false;

/// A rank's own rounding, large enough to be seen in 24 bits, and another one for every number.
void spoil(void* received, std::int64_t count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  if (!sums_differ || type != MPI_DOUBLE || op != MPI_SUM) return;
  int rank = 0;
  PMPI_Comm_rank(comm, &rank);
  auto* const sums = static_cast<double*>(received);
  for (std::int64_t i = 0; i < count; ++i) sums[i] *= 1 + 1e-6 * rank * static_cast<double>(i + 1);
}

}  // namespace

extern "C" {
int MPI_Allreduce(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  const int code = PMPI_Allreduce(send, receive, count, type, op, comm);
  spoil(receive, count, type, op, comm);
  return code;
}
#if ISOBATH_TEST_LARGE_COUNTS
int MPI_Allreduce_c(const void* send, void* receive, MPI_Count count, MPI_Datatype type, MPI_Op op,
                    MPI_Comm comm) {
  const int code = PMPI_Allreduce_c(send, receive, count, type, op, comm);
  spoil(receive, count, type, op, comm);
  return code;
}
#endif
}

namespace isobath {
namespace {

class UnequalSums : public testing::Test {
 protected:
  UnequalSums() { sums_differ = true; }
  ~UnequalSums() override { sums_differ = false; }
};

TEST_F(UnequalSums, ChooseTheSameStepsOnAllRanks) {
  const Communicator& world = test::world();
  std::vector<double> sums = {1, 1};
  world.sum(std::span<double>(sums));
  const double ranks = world.size();
  EXPECT_EQ(sums[0] == ranks, world.rank() == 0) << "the sum is spoilt elsewhere";

  const test::WeightedGraph sample =
      test::weighted(test::random_multigraph(11, 3000, 20000, 4), test::Weighing::uniform);
  for (const GridShape shape : test::shapes_of(world.size())) {
    const SpanWeightedEdgeStream edges = test::share_of(sample, world.rank(), world.size());
    PhaseObserver nobody;
    const DeltaStepping plan(edges, world, PathOptions{.shape = shape, .delta = 0}, nobody);
    const double radius = plan.facts().prepared.core_radius;
    double least[] = {radius};
    double most[] = {radius};
    world.min(std::span<double>(least));
    world.max(std::span<double>(most));
    EXPECT_GT(radius, 0) << shape.text();
    EXPECT_EQ(least[0], most[0]) << shape.text();
  }
}

}  // namespace
}  // namespace isobath
