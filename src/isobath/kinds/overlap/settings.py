# SPDX-License-Identifier: Apache-2.0
"""The settings of a benchmark of overlap. Limits are those of isobath-overlap."""

from dataclasses import dataclass
from typing import get_args

from isobath.kinds.nodes import OnSeveralNodes
from isobath.kinds.progress import MODES
from isobath.records.collective import COLLECTIVE_NAMES
from isobath.records.overlap import Work
from isobath.settings.declaration import declared, setting
from isobath.settings.shared import Benched, mpi_libraries_setting, seed_setting
from isobath.settings.values import parse_sizes
from isobath.study.labels import LEAST_LAUNCHES

COLLECTIVES = tuple(name for name in COLLECTIVE_NAMES if not name.startswith("neighbor_"))
WORKS: tuple[str, ...] = get_args(Work)
MOST_RANKS = 4096


@dataclass(frozen=True)
class OverlapSettings(OnSeveralNodes, Benched):
    """What a person may ask for."""

    # fmt: off
    collectives: tuple[str, ...] = setting(
        ("allreduce", "alltoall"), "Collectives to measure, named by their blocking calls, or all",
        metavar="A,..", takes="names with commas, or `all`", hints=(*COLLECTIVES, "all"),
        more="the non-blocking calls are measured beside them",
    )
    sizes: tuple[int, ...] = setting(
        (16, 512, 4096, 8192), "Message sizes: bytes of a vector, or of the block of one rank",
        metavar="N,..",
        parse=parse_sizes, least=8, most=1 << 30, takes="bytes with commas, as `16,4K` or `8:1M`",
    )
    ranks: tuple[int, ...] = setting(
        (), "Numbers of MPI ranks that compute", metavar="N,..", least=1, most=MOST_RANKS,
        usual="up to 2",
        more="threads and aggregators are measured with fewer too, so that they have processors",
    )
    threads: int = setting(
        1, "OpenMP threads that each rank starts", metavar="N", least=1, most=MOST_RANKS
    )
    progress: tuple[str, ...] = setting(
        MODES, "Who moves a started collective forward while ranks compute", metavar="A,..",
        choices=MODES, usual="all",
    )
    work: tuple[str, ...] = setting(
        WORKS, "Computation that ranks do while the collective is under way", metavar="A,..",
        choices=WORKS,
        more="the first is swept, of the others the middle is measured",
    )
    ratios: tuple[float, ...] = setting(
        (0.25, 0.5, 1.0, 2.0, 4.0),
        "Length of the computation, in multiples of the time of the call",
        metavar="X,..", least=0.01, most=1000, usual="0.25,0.5,1,2,4",
    )
    tests: tuple[int, ...] = setting(
        (0, 1, 10, 100, 1000),
        "How often MPI_Test is called during the computation (--progress tests)",
        metavar="K,..", least=0, most=100_000,
    )
    aggregators: int = setting(
        1, "Further ranks that do nothing but reduce for those that compute (--progress offload)",
        metavar="N", least=1, most=MOST_RANKS,
    )
    trees: int = setting(
        1, "Aggregation trees that share the pieces of a vector (--progress offload)", metavar="N",
        least=1, most=255,
    )
    repetitions: int = setting(
        20, "How often each combination of settings is timed in a launch", metavar="N", least=1,
        most=100_000,
        more="a fifth of a second at the most",
    )
    order: int = setting(
        32, "Rows and columns of the matrices that --work product multiplies", metavar="N",
        least=1, most=4096
    )
    mpi: tuple[str, ...] = mpi_libraries_setting()
    launches: int = setting(
        LEAST_LAUNCHES, "Launches of every way to make progress, in random order", metavar="N",
        least=1, more="with fewer than 3 the words FEW LAUNCHES are there",
    )
    seed: int | None = seed_setting()
    # fmt: on


OVERLAP = declared("bench overlap", OverlapSettings, "OVERLAP")
