# SPDX-License-Identifier: Apache-2.0
"""The calls of three_bindings.F90, from Python."""

import numpy as np
from mpi4py import MPI  # noqa: TID251  a program that is profiled, no part of the laboratory

comm = MPI.COMM_WORLD
ranks = range(comm.size)
out = np.ones(10000, np.int32)
received = np.empty_like(out)
counts = [(comm.rank + 1) * 10 + peer for peer in ranks]
from_peers = [(peer + 1) * 10 + comm.rank for peer in ranks]
offsets = [peer * 100 for peer in ranks]
comm.Alltoallv((out, counts, offsets, MPI.INT), (received, from_peers, offsets, MPI.INT))
comm.Allreduce(MPI.IN_PLACE, np.ones(4))
if comm.rank == 0:
    comm.Send(out[:25], 1, 3)
elif comm.rank == 1:
    comm.Recv(received[:100], 0, 3)
