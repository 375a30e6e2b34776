// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

// The functions of MPI behind collective_calls.hpp, by what they take; for the sources of this layer alone.
namespace isobath {

/// What the arguments of one collective are, in its three forms. Null where the library lacks one.
template <class... Arguments>
struct Functions {
  int (*blocking)(Arguments...) = nullptr;
  int (*nonblocking)(Arguments..., MPI_Request*) = nullptr;
  int (*persistent)(Arguments..., MPI_Info, MPI_Request*) = nullptr;
};

/// The ordinary functions, and those of MPI 4 whose names end in _c.
struct SmallCounts {
  using Count = int;
  using Offset = int;
};
struct LargeCounts {
  using Count = MPI_Count;
  using Offset = MPI_Aint;
};

template <class Counts>
struct CollectiveFunctions {
  using Count = typename Counts::Count;
  using Offset = typename Counts::Offset;
  using Type = MPI_Datatype;
  using Comm = MPI_Comm;

  using Rooted = Functions<const void*, Count, Type, void*, Count, Type, int, Comm>;
  using Regular = Functions<const void*, Count, Type, void*, Count, Type, Comm>;
  using ToEach = Functions<const void*, Count, Type, void*, const Count*, const Offset*, Type, Comm>;
  using Pairs = Functions<const void*, const Count*, const Offset*, Type, void*, const Count*, const Offset*,
                          Type, Comm>;
  template <class ByteOffset>
  using TypedPairs = Functions<const void*, const Count*, const ByteOffset*, const Type*, void*, const Count*,
                               const ByteOffset*, const Type*, Comm>;
  using Reduction = Functions<const void*, void*, Count, Type, MPI_Op, Comm>;

  Functions<Comm> barrier;
  Functions<void*, Count, Type, int, Comm> bcast;
  Rooted gather;
  Functions<const void*, Count, Type, void*, const Count*, const Offset*, Type, int, Comm> gatherv;
  Rooted scatter;
  Functions<const void*, const Count*, const Offset*, Type, void*, Count, Type, int, Comm> scatterv;
  Regular allgather;
  ToEach allgatherv;
  Regular alltoall;
  Pairs alltoallv;
  TypedPairs<Offset> alltoallw;
  Functions<const void*, void*, Count, Type, MPI_Op, int, Comm> reduce;
  Reduction allreduce;
  Functions<const void*, void*, const Count*, Type, MPI_Op, Comm> reduce_scatter;
  Reduction scan;
  Reduction exscan;
  Reduction reduce_scatter_block;
  Regular neighbor_allgather;
  ToEach neighbor_allgatherv;
  Regular neighbor_alltoall;
  Pairs neighbor_alltoallv;
  TypedPairs<MPI_Aint> neighbor_alltoallw;
};

/// Blocking and non-blocking, which every MPI 3 has.
CollectiveFunctions<SmallCounts> small_count_functions();
/// Puts in the persistent ones; nothing where this MPI lacks them (CMake chooses the file).
void add_persistent_functions(CollectiveFunctions<SmallCounts>& functions);
/// All null where this MPI lacks them (CMake chooses the file).
CollectiveFunctions<LargeCounts> large_count_functions();

}  // namespace isobath
