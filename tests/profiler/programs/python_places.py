# SPDX-License-Identifier: Apache-2.0
"""Calls from functions, methods, threads, code without a file, and while the interpreter ends."""

import atexit
import threading

import numpy as np
from mpi4py import MPI  # noqa: TID251  a program that is profiled, no part of the laboratory

comm = MPI.COMM_WORLD
number = np.ones(1)
TURNS = 20


class Solver:
    def reduce(self) -> None:
        comm.Allreduce(MPI.IN_PLACE, number)  # in Solver.reduce

    def step(self) -> None:
        self.reduce()
        comm.Barrier()  # in Solver.step


def talk_to_myself(tag: int) -> None:
    """Two threads do so at once; each asks the interpreter for its own place."""
    own, got = np.full(3, tag), np.zeros(3, int)
    for _ in range(TURNS):
        comm.Sendrecv(own, comm.rank, tag, got, comm.rank, tag)  # in talk_to_myself
        assert got[0] == tag


class Freed:
    def __del__(self) -> None:
        comm.Bcast(number)  # in Freed.__del__


def at_the_end() -> None:
    comm.Barrier()  # in at_the_end


atexit.register(at_the_end)
for _ in range(3):
    Solver().step()
threads = [threading.Thread(target=talk_to_myself, args=(tag,)) for tag in (1, 2)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
exec(compile("comm.Allgather(number, np.zeros(comm.size))", "<made up>", "exec"))
try:
    lost = Freed()
    del lost
    raise ValueError
except ValueError:
    comm.Barrier()  # while an exception is under way
requests = list(comm.Ibarrier() for _ in range(2))  # in a generator
MPI.Request.Waitall(requests)  # at the top
