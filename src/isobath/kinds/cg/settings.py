# SPDX-License-Identifier: Apache-2.0
"""The settings of a benchmark of conjugate gradients."""

from dataclasses import dataclass

from isobath.kinds.nodes import OnSeveralNodes
from isobath.kinds.progress import MODES
from isobath.settings.declaration import declared, setting
from isobath.settings.shared import Benched, mpi_libraries_setting, seed_setting

MOST_ELEMENTS = 100_000
MOST_TESTS = 100_000
MOST_RANKS = 4096


@dataclass(frozen=True)
class CgPreset:
    """A benchmark with a name."""

    elements: tuple[int, ...]
    iterations: int
    repetitions: int
    launches: int


PRESETS = {
    "small": CgPreset((128, 512), iterations=100, repetitions=5, launches=3),
    "paper": CgPreset((1536, 3072), iterations=500, repetitions=3, launches=3),
}


@dataclass(frozen=True)
class CgSettings(OnSeveralNodes, Benched):
    """What a person may ask for. None means that the preset, or Isobath, chooses."""

    # fmt: off
    preset: str = setting(
        "small", "Prepared values of elements, iterations, repetitions and launches",
        choices=PRESETS,
        more="128 and 512 elements, 100 iterations; or 1536 and 3072, 500 iterations",
    )
    elements: tuple[int, ...] = setting(
        (), "Elements along one side of the square mesh", metavar="N,..", least=2,
        most=MOST_ELEMENTS,
        usual="the preset's",
    )
    iterations: int | None = setting(
        None, "Iterations that every solve makes, whatever its residual", metavar="N", least=1,
        most=1_000_000,
        usual="the preset's",
    )
    repetitions: int | None = setting(
        None, "How often each system is solved in a launch", metavar="N", least=1, most=100_000,
        usual="the preset's",
    )
    launches: int | None = setting(
        None, "How often the whole benchmark is launched", metavar="N", least=1,
        usual="the preset's"
    )
    ranks: tuple[int, ...] = setting(
        (), "Numbers of MPI ranks that compute", metavar="N,..", least=1, most=MOST_RANKS,
        usual="up to 2",
    )
    threads: int = setting(
        1, "OpenMP threads that each rank starts", metavar="N", least=1, most=MOST_RANKS
    )
    progress: tuple[str, ...] = setting(
        MODES, "Who moves a started reduction forward, beside blocking reductions", metavar="A,..",
        choices=(*MODES, "none"), usual="all",
    )
    tests: tuple[int, ...] = setting(
        (4,), "How often MPI_Test is called in each operation that covers a reduction",
        metavar="K,..", least=1, most=MOST_TESTS,
    )
    aggregators: int = setting(
        1, "Further ranks that do nothing but sum for those that compute (--progress offload)",
        metavar="N", least=1, most=MOST_RANKS,
    )
    mpi: tuple[str, ...] = mpi_libraries_setting()
    petsc: bool = setting(
        True, "Measure PETSc's methods beside ours, where it is here", has_no=True
    )
    petsc_example: str | None = setting(
        None, "Measure PETSc's own ex3, too: its source, src/ksp/ksp/tutorials/ex3.c",
        metavar="FILE", is_outside=True,
    )
    profile: bool = setting(
        True, "Launch methods once more under the profiler, for shares of MPI calls",
        has_no=True, more="where the profiler is built",
    )
    seed: int | None = seed_setting()
    # fmt: on


CG = declared("bench cg", CgSettings, "CG")
