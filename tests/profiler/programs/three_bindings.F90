! SPDX-License-Identifier: Apache-2.0
! The same calls through each of MPI's Fortran bindings: -DBINDING_F08, -DBINDING_MODULE or -DBINDING_INCLUDE.
program three_bindings
#if defined(BINDING_F08)
  use mpi_f08
#elif defined(BINDING_MODULE)
  use mpi
#endif
  implicit none
#if defined(BINDING_INCLUDE)
  include 'mpif.h'
#endif
  integer, parameter :: most = 64
  integer :: rank, ranks, error, peer
  integer :: counts(most), offsets(most), from(most), from_offsets(most)
  integer :: out(10000), in(10000)
  double precision :: value(4)

  out = 1
  value = 1
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
  do peer = 0, ranks - 1
    counts(peer + 1) = (rank + 1) * 10 + peer
    from(peer + 1) = (peer + 1) * 10 + rank
    offsets(peer + 1) = peer * 100
    from_offsets(peer + 1) = peer * 100
  end do
  call MPI_Alltoallv(out, counts, offsets, MPI_INTEGER, in, from, from_offsets, MPI_INTEGER, MPI_COMM_WORLD, error)
  call MPI_Allreduce(MPI_IN_PLACE, value, 4, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, error)
  if (rank == 0) call MPI_Send(out, 25, MPI_INTEGER, 1, 3, MPI_COMM_WORLD, error)
  if (rank == 1) call MPI_Recv(in, 100, MPI_INTEGER, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
  call MPI_Finalize(error)
end program three_bindings
