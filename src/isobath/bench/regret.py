# SPDX-License-Identifier: Apache-2.0
"""What the library's own choice loses against the best algorithm that can be forced, and a cure."""

from collections.abc import Sequence
from dataclasses import dataclass

from isobath.bench.algorithms import (
    OPENMPI,
    OPENMPI_RULE_IDS,
    algorithms_of,
    library_size,
)
from isobath.bench.measured import Measured, MeasuredCell
from isobath.bench.spec import Family

WORTH = 0.05
"""Regret below this is not worth a rule."""


@dataclass(frozen=True)
class Regret:
    """One collective and size: the default beside the fastest forced algorithm."""

    default: MeasuredCell
    best: MeasuredCell
    others: tuple[MeasuredCell, ...]
    """the cell with each forced algorithm that was measured"""

    @property
    def tried(self) -> int:
        """Algorithms that were measured."""
        return len(self.others)

    @property
    def loss(self) -> float:
        """Seconds of the default by those of the best, minus 1; 0 where the default is fastest."""
        return max(0.0, self.default.seconds / self.best.seconds - 1)

    @property
    def is_clear(self) -> bool:
        """The intervals do not touch, and the loss is worth a rule."""
        return self.loss >= WORTH and self.best.bounds[1] < self.default.bounds[0]


def regrets_of(measured: Measured) -> tuple[Regret, ...]:
    """Of every cell of the default that has forced ones beside it."""
    forced: dict[object, list[MeasuredCell]] = {}
    for one in measured.results:
        if one.cell.algorithm is not None:
            key = (one.arm.mpi, one.cell.model_copy(update={"algorithm": None}))
            forced.setdefault(key, []).append(one)
    found = []
    for one in measured.results:
        others = forced.get((one.arm.mpi, one.cell), [])
        if one.cell.algorithm is None and others:
            best = min(others, key=lambda other: other.seconds)
            found.append(Regret(one, best, tuple(others)))
    return tuple(found)


@dataclass(frozen=True)
class RuleFile:
    """What makes a library choose as was measured."""

    mpi: str
    family: Family
    name: str
    """of the file"""
    text: str
    how: str
    """how it is put to use, one line"""


def rule_files(measured: Measured) -> tuple[RuleFile, ...]:
    """One for each library with clear regrets of blocking collectives on the whole world."""
    found = []
    clear = [one for one in regrets_of(measured) if one.is_clear and _can_be_ruled(one)]
    for mpi in dict.fromkeys(one.default.arm.mpi for one in clear):
        own = [one for one in clear if one.default.arm.mpi == mpi]
        everything = [
            one for one in regrets_of(measured)
            if one.default.arm.mpi == mpi and _can_be_ruled(one)
        ]  # fmt: skip
        family = own[0].default.arm.family
        if family == "openmpi":
            found.append(_openmpi(mpi, everything))
        elif family == "intel":
            found.append(_intel(mpi, everything))
        else:
            found.append(_hydra(mpi, everything))
    return tuple(found)


def _can_be_ruled(one: Regret) -> bool:
    cell = one.default.cell
    return cell.form == "blocking" and cell.along == "world" and cell.counts == "uniform"


def _names(regrets: Sequence[Regret]) -> list[str]:
    with_loss = {one.default.cell.collective for one in regrets if one.is_clear}
    return [
        name
        for name in dict.fromkeys(one.default.cell.collective for one in regrets)
        if name in with_loss
    ]


def _of(regrets: Sequence[Regret], name: str) -> list[Regret]:
    """By size; one for each size, where buffers or cadence differ the first."""
    found: dict[int, Regret] = {}
    for one in sorted(regrets, key=lambda one: one.default.cell.size_bytes):
        if one.default.cell.collective == name:
            found.setdefault(one.default.cell.size_bytes, one)
    return list(found.values())


def _openmpi(mpi: str, regrets: Sequence[Regret]) -> RuleFile:
    """Classic rule file of coll/tuned: a tree of collectives, communicator sizes, message sizes.

    Sizes are Open MPI's own (type size x communicator size x count for an allgather). Algorithm 0
    leaves the choice to the library; alltoallv has one rule only, for its size is not looked at.
    """
    names = [name for name in _names(regrets) if name in OPENMPI_RULE_IDS]
    lines = [f"{len(names)} # collectives with a rule"]
    for name in names:
        own = _of(regrets, name)
        ranks = own[0].default.first.ranks
        if name == "alltoallv":
            worst = max(own, key=lambda one: one.loss)
            if _slower_at(own, worst.best.choice):
                worst = min(own, key=lambda one: one.loss)  # no rule
            own = [worst]
        rules: list[tuple[int, int]] = []
        for one in own:
            size = int(library_size(name, one.default.cell.size_bytes, ranks))
            forced = OPENMPI[name].index(one.best.choice) + 1 if one.is_clear else 0
            if not rules or rules[-1][1] != forced:
                rules.append((0 if not rules else size, forced))
        lines += [f"{OPENMPI_RULE_IDS[name]} # {name}", "1 # communicator size",
                  f"{ranks} # ranks", f"{len(rules)} # message sizes"]  # fmt: skip
        lines += [f"{size} {forced} 0 0 # from this size: algorithm" for size, forced in rules]
    how = (
        "mpirun --mca coll_tuned_use_dynamic_rules 1 --mca coll_tuned_dynamic_rules_filename "
        "RULES ..."
    )
    return RuleFile(mpi, "openmpi", "openmpi-rules.conf", "\n".join(lines) + "\n", how)


def _intel(mpi: str, regrets: Sequence[Regret]) -> RuleFile:
    """I_MPI_ADJUST: ``id:low-high@ranks-ranks`` for each stretch of sizes with one best."""
    lines = []
    for name in _names(regrets):
        own = _of(regrets, name)
        ranks = own[0].default.first.ranks
        stretches: list[list[int]] = []
        for one in own:
            if not one.is_clear or one.best.cell.algorithm is None:
                continue
            size, number = one.default.cell.size_bytes, int(one.best.cell.algorithm.value)
            if stretches and stretches[-1][0] == number and _adjacent(own, stretches[-1][2], size):
                stretches[-1][2] = size
            else:
                stretches.append([number, size, size])
        parts = [f"{number}:{low}-{high}@{ranks}-{ranks}" for number, low, high in stretches]
        lines.append(f'export I_MPI_ADJUST_{name.upper()}="{";".join(parts)}"')
    text = "\n".join(lines) + "\n"
    return RuleFile(mpi, "intel", "intel-adjust.sh", text, "source RULES before mpiexec")


def _adjacent(own: Sequence[Regret], size: int, after: int) -> bool:
    sizes = [one.default.cell.size_bytes for one in own]
    return sizes.index(after) == sizes.index(size) + 1


def _slower_at(regrets: Sequence[Regret], choice: str) -> list[int]:
    """Sizes at which an algorithm is clearly slower than the default."""
    return [
        one.default.cell.size_bytes
        for one in regrets
        for other in one.others
        if other.choice == choice
        and other.bounds[0] > one.default.bounds[1]
        and other.seconds >= (1 + WORTH) * one.default.seconds
    ]


def _hydra(mpi: str, regrets: Sequence[Regret]) -> RuleFile:
    """MPICH's variables know no sizes: a collective is forced where one algorithm is best
    wherever the default loses and is clearly slower nowhere; elsewhere a comment says what is.
    """
    lines = []
    for name in _names(regrets):
        measured = _of(regrets, name)
        own = [one for one in measured if one.is_clear]
        best = list(dict.fromkeys(one.best.choice for one in own))
        variable = algorithms_of("hydra", name)[0].variable
        sizes = ", ".join(f"{one.default.cell.size_bytes}" for one in own)
        slower = _slower_at(measured, best[0]) if len(best) == 1 else []
        if slower:
            at = ", ".join(map(str, slower))
            lines.append(f"# {name}: {best[0]} wins at {sizes} bytes and loses at {at}")
        elif len(best) == 1:
            lines.append(f"export {variable}={best[0]}  # measured at {sizes} bytes")
            lines.append(f"export MPIR_CVAR_{name.upper()}_DEVICE_COLLECTIVE=0")
        else:
            said = "; ".join(f"{one.default.cell.size_bytes}: {one.best.choice}" for one in own)
            lines.append(f"# {name}: no single algorithm is best ({said})")
    text = "\n".join(lines) + "\n"
    how = "source RULES before mpiexec; a variable holds for all sizes"
    return RuleFile(mpi, "hydra", "mpich-cvars.sh", text, how)
