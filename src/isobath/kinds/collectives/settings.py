# SPDX-License-Identifier: Apache-2.0
"""The settings of a benchmark of collectives; what is left out is the preset's."""

from dataclasses import dataclass
from typing import Any

from isobath.bench.design import DATATYPES, FORMS, OPERATIONS
from isobath.bench.design_checks import ALIGNMENTS
from isobath.bench.offload import SWITCHES
from isobath.bench.own import OWN
from isobath.bench.presets import DEFAULT, PRESETS
from isobath.kinds.nodes import OnSeveralNodes
from isobath.records.collective import COLLECTIVE_NAMES
from isobath.settings.declaration import declared, setting
from isobath.settings.shared import EVERY, Benched, mpi_libraries_setting, seed_setting
from isobath.settings.values import parse_bytes, parse_sizes

WHAT, HOW = "What is measured", "How it is measured"
BUFFERS = ("warm", "offcache", "dirty")
CADENCES = ("isolated", "streaming")


def _what(phrase: str, metavar: str, **more: Any) -> Any:
    return setting(None, phrase, metavar=metavar, panel=WHAT,
                   **{"usual": "the preset's"} | more)  # fmt: skip


def _how(phrase: str, metavar: str, **more: Any) -> Any:
    return setting(None, phrase, metavar=metavar, panel=HOW,
                   **{"usual": "the preset's"} | more)  # fmt: skip


def memory_setting(panel: str | None = None) -> Any:
    """What buffers may take."""
    return setting(
        None, "Memory for the buffers of a node, for example 4G", metavar="B", parse=parse_bytes,
        takes="bytes", usual="half of what is free", panel=panel,
    )  # fmt: skip


@dataclass(frozen=True)
class CollectivesSettings(OnSeveralNodes, Benched):
    """What a person may ask for; absent ones leave the preset's."""

    # fmt: off
    preset: str = setting(
        DEFAULT, "Prepared choice, of which the other options replace parts", choices=PRESETS
    )
    collectives: tuple[str, ...] | None = _what(
        "Collectives to measure, by MPI's names in lower case", "NAME,..",
        takes="names, as `allreduce`, `neighbor_alltoallv`", hints=COLLECTIVE_NAMES,
    )
    forms: tuple[str, ...] | None = _what("Forms of the calls to measure", "F,..", choices=FORMS)
    sizes: tuple[int, ...] | None = _what(
        "Sizes in bytes: 8,100,64K, or 1:1M to double from 1 to 1M", "A:B[:F]", parse=parse_sizes,
        takes="bytes; `1:1M` doubles, `1:1M:4` multiplies by 4, `8,100,64K` lists",
        more="what size means for each collective: `size_bytes` of the "
        "[record](records.md#collective-collectiverecord)",
    )
    ranks: tuple[int, ...] | None = _what(
        "Numbers of MPI ranks", "N,..", least=1, usual="one for each processor, two at least"
    )
    shapes: tuple[str, ...] | None = _what(
        "Grids that the ranks are laid out in: 2x2, 2x2x2", "RxC,..",
        takes="arrangements of all ranks", usual="the preset's, or one dimension",
    )
    along: tuple[str, ...] | None = _what(
        "Which ranks take part: world, row, col, or a dimension 0, 1, 2", "A,..",
        takes="`world`, `row`, `col`, or the number of a dimension", hints=("world", "row", "col"),
    )
    together: bool | None = _what(
        "Let all rows, or all columns, of a grid call at the same time", "", has_no=True
    )
    counts: tuple[str, ...] | None = _what(
        "Who sends how much: uniform, zipf:S, sparse:K, block:B", "D,..",
        hints=("uniform", "zipf:", "sparse:", "block:"),
        takes="`uniform`, `zipf:S`, `sparse:K`, `block:B`", more="of collectives that have counts",
    )
    datatypes: tuple[str, ...] | None = _what("Types of the elements", "T,..", choices=DATATYPES)
    operations: tuple[str, ...] | None = _what(
        "Operations of reductions", "OP,..", choices=OPERATIONS,
        more="pairs with a datatype that MPI does not define are left out",
    )
    root_ranks: tuple[int, ...] | None = _what(
        "Ranks that broadcast or gather", "N,..", usual="0",
        takes="whole numbers from 0 and below the ranks; several with commas",
    )
    algorithms: tuple[str, ...] | None = _what(
        "Algorithms to force beside the library's choice: names, all, own or none", "NAME,..",
        takes="names, `all`, `own` or `none`", hints=(EVERY, OWN, "none"),
        more="`own` and names that begin so: [one's own](../how-to/benchmark-your-algorithm.md)",
    )
    mpi: tuple[str, ...] = mpi_libraries_setting(WHAT)
    buffers: tuple[str, ...] | None = _how("State of the buffers", "B,..", choices=BUFFERS)
    cadence: tuple[str, ...] | None = _how(
        "Calls one by one (isolated) or back to back (streaming)", "C,..", choices=CADENCES
    )
    alignment: tuple[str, ...] | None = _how(
        "How ranks start together", "A,..", choices=ALIGNMENTS
    )
    arrival: tuple[str, ...] | None = _how(
        "Delays before the call: zero, linear:D, one-late:D, in microseconds", "P,..",
        hints=("zero", "linear:", "one-late:"),
        takes="`zero`, `linear:D`, `one-late:D`, 0 to 1e9 microseconds", more="with `roundtime`",
    )
    launches: int | None = _how(
        "How often the whole benchmark is launched", "N", least=1, usual="3 in `small`, else 5"
    )
    seed: int | None = seed_setting(HOW)
    half_width: float | None = _how(
        "Stop repeating once the median is known to this share", "X", above=0, usual="0.02",
        more="half of its 95 % interval",
    )
    least: int | None = _how(
        "Repeat each cell at least so often in a launch", "N", least=1,
        more="in a stream the least number of batches",
    )
    most: int | None = _how("Repeat each cell at most so often in a launch", "N", least=1)
    budget: float | None = _how("Seconds that a cell may take in a launch", "S", above=0)
    memory_limit: int | None = memory_setting(HOW)
    stacks: bool = setting(
        True, "Look at stacks to tell which algorithm ran", has_no=True, panel=HOW,
        more="for 20 ms in the first launch, after the times of the cell",
    )
    offload: tuple[str, ...] = setting(
        (), "Components of Open MPI to switch on and off in launches of their own",
        metavar="O,..", choices=(*SWITCHES, EVERY), panel=WHAT,
        more="sharp goes through hcoll; what is not there is said",
    )
    cross_check: str | None = setting(
        None, "Launch the Intel MPI Benchmarks in turns with our own, and compare",
        metavar="imb", choices=("imb",), panel=HOW, more="by its definition",
    )
    imb: str | None = setting(
        None, "IMB-MPI1 that --cross-check imb launches, or its folder", metavar="PATH", panel=HOW,
        takes="path", usual="beside the library's launcher, then PATH", is_outside=True,
    )
    refine: int = setting(
        0, "Rounds that add sizes at switch points, to narrow them", metavar="N", least=0,
        panel=HOW,
    )
    # fmt: on


COLLECTIVES = declared("bench collectives", CollectivesSettings, "COLLECTIVES")
