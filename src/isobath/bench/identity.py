# SPDX-License-Identifier: Apache-2.0
"""Which algorithm ran, how that is known, and how far it can be trusted.

Strongest first: names of functions on the stack of the call; functions that only one forced
algorithm has, found again under the library's own choice (which needs no names, so that a stripped
library tells too); a control variable that was read back; the library's own table.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby
from typing import Literal

from isobath.bench.algorithms import OPENMPI, documented
from isobath.bench.design import WIDTHS
from isobath.bench.measured import Curve, Measured, MeasuredCell
from isobath.bench.offload import SWITCHES
from isobath.bench.plan import Family
from isobath.records.collective import AlgorithmSource
from isobath.units import size_words

Confidence = Literal["high", "medium", "low", "none"]

OFTEN, SELDOM = 0.2, 0.05
"""Shares of samples from which on a function belongs to an algorithm, and below which not."""

LEAST_SAMPLES = 10

TABLES: dict[Family, tuple[str, ...]] = {
    "openmpi": ("4.1.", "5.0.0"),
    "hydra": ("4.0", "4.1", "4.2", "4.3", "5.0"),
    "intel": (),
}
"""Beginnings of the versions whose tables are known."""

SAME_IN_OPENMPI = {
    "basiclinear": "linear", "basicdefault": "default", "neighborexchange": "neighbor",
    "twoprocs": "twoproc", "redscatallgather": "rabenseifner", "redscatgather": "rabenseifner",
    "ringsegmented": "segmentedring", "bruck": "modifiedbruck", "bintree": "binarytree",
    "splitbintree": "splitbinarytree", "basicrecursivehalving": "recursivehalving",
}  # fmt: skip
"""Ends of Open MPI's functions that its variables call otherwise; without underscores."""

NO_ALGORITHMS = re.compile(r"(auto|auto_safe|check|generic|dec_fixed|dec_dynamic|do_this)$")


@dataclass(frozen=True)
class Identity:
    """What is known of the algorithm of a cell."""

    algorithm: str
    """empty where it is not known"""
    source: AlgorithmSource
    confidence: Confidence
    evidence: str
    """one sentence without its end"""
    contradicts: bool = False
    """another one ran than was forced"""


UNKNOWN = Identity("", "unknown", "none", "the library does not tell")


@dataclass(frozen=True)
class Stacks:
    """Samples of a cell from all launches that took some."""

    samples: int
    functions: Mapping[str, int]

    def often(self) -> set[str]:
        """Functions that were on the stack in many samples."""
        return {name for name, n in self.functions.items() if n >= OFTEN * self.samples}

    def ever(self) -> set[str]:
        """Functions that were there in more than stray samples."""
        return {name for name, n in self.functions.items() if n >= SELDOM * self.samples}


def stacks_of(measured: MeasuredCell) -> Stacks:
    """All samples of a cell together."""
    functions: Counter[str] = Counter()
    for record in measured.records:
        functions.update(record.stack_functions or {})
    return Stacks(sum(record.stack_samples or 0 for record in measured.records), functions)


def named_algorithm(collective: str, stacks: Stacks) -> str | None:
    """The algorithm that the names on a stack tell, in the words of control variables.

    Returns: None without enough samples, and where no name or several tell it.
    """
    if stacks.samples < LEAST_SAMPLES:
        return None
    algorithms = {_algorithm_in(collective, name) for name in stacks.often()} - {None}
    return algorithms.pop() if len(algorithms) == 1 else None


def _algorithm_in(collective: str, function: str) -> str | None:
    """The algorithm in ``MPIR_Bcast_intra_binomial``, ``ompi_coll_base_bcast_intra_binomial``."""
    if NO_ALGORITHMS.search(function):
        return None
    lower = function.lower()
    for beginning in (f"mpir_{collective}_intra_", f"mpir_{collective}_allcomm_"):
        if lower.startswith(beginning):
            return lower.removeprefix(beginning).removesuffix("_impl")
    if lower.startswith("mpidi_posix") and f"_{collective}_" in lower:
        return lower.rpartition(f"_{collective}_")[2]
    beginning = f"ompi_coll_base_{collective}_intra_"
    if not lower.startswith(beginning):
        return None
    end = lower.removeprefix(beginning)
    bare = end.replace("_", "")
    known = {name.replace("_", "").replace("-", ""): name for name in OPENMPI.get(collective, ())}
    return known.get(bare) or known.get(SAME_IN_OPENMPI.get(bare, ""), end)


def _same(seen: str, name: str, family: Family) -> bool:
    """Whether a function is that of an algorithm; MPICH's k_brucks is what brucks stands for."""
    return seen == name or (family == "hydra" and seen.endswith(f"_{name}"))


def _offload(name: str, stacks: Stacks) -> Identity:
    """Whether functions of the component were on the stack."""
    component = SWITCHES[name][0] if name in SWITCHES else ""
    seen = [function for function in stacks.often() if component and component in function]
    if seen:
        return Identity(name, "stack", "high", f"functions of {component} on its stacks")
    if component and stacks.samples >= LEAST_SAMPLES:
        words = f"switched on, but no function of {component} is on its stacks"
        return Identity("", "unknown", "none", words, contradicts=True)
    return Identity(name, "forced", "low", "switched for the launch, not seen")


class Identities:
    """The algorithms of all cells of a benchmark."""

    def __init__(self, measured: Measured) -> None:
        self._measured = measured

    def of(self, measured: MeasuredCell) -> Identity:
        """What is known of a cell."""
        if measured.not_runnable:
            return UNKNOWN
        if measured.cell.algorithm is not None:
            return self._forced(measured)
        return self._own_choice(measured)

    def _forced(self, measured: MeasuredCell) -> Identity:
        assert measured.cell.algorithm is not None
        name = measured.cell.algorithm.name
        if measured.cell.algorithm.is_own:
            return Identity(name, "own", "high", "one's own, called in the library's place")
        if measured.cell.algorithm.is_offload:
            return _offload(name, stacks_of(measured))
        seen = named_algorithm(measured.cell.collective, stacks_of(measured))
        if seen is not None and measured.arm.family == "intel":  # its algorithms have numbers alone
            return Identity(f"{name}, {seen}", "forced", "high", "set, and named on its stacks")
        if seen is not None and not _same(seen, name, measured.arm.family):
            return Identity(
                seen, "stack", "high", f"{name} was asked for, but the stack names {seen}",
                contradicts=True,
            )  # fmt: skip
        read_back = all(row.algorithm_source == "forced" for row in measured.records)
        if seen is not None:
            return Identity(name, "forced", "high", "set, and the stack names it")
        if read_back and measured.cell.algorithm.in_process:
            words = "read back in the process, others refused"
            return Identity(name, "forced", "high", words)
        if read_back:
            return Identity(name, "forced", "medium", "set for the launch, and read back")
        return Identity(name, "forced", "low", "set for the launch, but no value can be read")

    def _own_choice(self, measured: MeasuredCell) -> Identity:
        if measured.first.algorithm_source == "forced":
            words = f"{measured.first.algorithm_variable} of the launch's environment, read back"
            return Identity(measured.first.algorithm or "", "forced", "medium", words)
        if measured.cell.form != "blocking":
            return UNKNOWN
        table = self._in_table(measured)
        said = f"; the table says {table}" if table else "; no table is known"
        stacks = stacks_of(measured)
        seen = named_algorithm(measured.cell.collective, stacks)
        if seen is not None:
            said = ", as the table says" if seen == table else said
            return Identity(seen, "stack", "high", f"named on its stacks{said}")
        alike = self._alike(measured, stacks)
        if alike is not None:
            said = ", as the table says" if alike == table else said
            words = f"has functions of the forced one{said}"
            return Identity(alike, "stack", "medium", words)
        if table is not None:
            return Identity(table, "table", "low", "the library's table, not seen")
        return UNKNOWN

    def _in_table(self, measured: MeasuredCell) -> str | None:
        family, version = measured.arm.family, measured.arm.version
        if not version.startswith(TABLES[family] or ("none",)):
            return None
        return documented(
            family,
            measured.cell.collective,
            measured.cell.size_bytes,
            measured.first.ranks,
            width=WIDTHS.get(measured.first.datatype, 1),
            one_node=self._measured.is_one_node,
        )

    def _alike(self, measured: MeasuredCell, stacks: Stacks) -> str | None:
        """The only forced algorithm of which functions of its own are on this stack."""
        if stacks.samples < LEAST_SAMPLES:
            return None
        own = self._own_functions.get((measured.arm.mpi, measured.cell.collective), {})
        names = [name for name, functions in own.items() if functions & stacks.often()]
        return names[0] if len(names) == 1 else None

    @cached_property
    def _own_functions(self) -> dict[tuple[str, str], dict[str, set[str]]]:
        """By library and collective: functions that one forced algorithm alone has, with two or
        more of them to compare.
        """
        often: dict[tuple[str, str], dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
        ever: dict[tuple[str, str], dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
        for cell in self._measured.cells:
            stacks = stacks_of(cell)
            forced = cell.cell.algorithm
            if forced is None or forced.is_own or stacks.samples < LEAST_SAMPLES:
                continue
            key, name = (cell.arm.mpi, cell.cell.collective), forced.name
            often[key][name] |= stacks.often()
            ever[key][name] |= stacks.ever()
        own: dict[tuple[str, str], dict[str, set[str]]] = {}
        for key, algorithms in often.items():
            if len(algorithms) > 1:
                own[key] = {
                    name: functions.difference(*(ever[key][other] for other in algorithms
                                                 if other != name))
                    for name, functions in algorithms.items()
                }  # fmt: skip
        return own


@dataclass(frozen=True)
class Stretch:
    """Neighbouring sizes of a curve of which the same is known."""

    title: str
    first: MeasuredCell
    last: MeasuredCell
    identity: Identity

    @property
    def sizes(self) -> str:
        """``64 B to 4 KiB``; nothing where there is one without a size."""
        low, high = self.first.cell.size_bytes, self.last.cell.size_bytes
        if high == 0:
            return ""
        return size_words(low) if low == high else f"{size_words(low)} to {size_words(high)}"


def stretches_of(measured: Measured) -> tuple[Stretch, ...]:
    """Of all blocking cells that ran, in the order of cells."""
    identities = Identities(measured)
    curves: dict[object, list[MeasuredCell]] = {}
    for cell in measured.cells:
        if cell.cell.form == "blocking" and not cell.not_runnable:
            key = (cell.arm.where, cell.cell.model_copy(update={"size_bytes": 0}))
            curves.setdefault(key, []).append(cell)
    stretches = []
    for cells in curves.values():
        cells.sort(key=lambda cell: cell.cell.size_bytes)
        for identity, same in groupby(cells, key=identities.of):
            own = list(same)
            plain = own[0].cell.model_copy(update={"algorithm": None})
            title = Curve((replace(own[0], cell=plain),)).title
            stretches.append(Stretch(title, own[0], own[-1], identity))
    return tuple(stretches)
