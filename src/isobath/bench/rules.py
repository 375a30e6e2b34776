# SPDX-License-Identifier: Apache-2.0
"""Files that make a library choose as was measured: rules by collective, ranks and size."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from isobath.bench.algorithms import OPENMPI, OPENMPI_RULE_IDS, algorithms_of
from isobath.bench.measured import Measured, MeasuredCell
from isobath.bench.openmpi_decisions import RULE_WITHOUT_SIZE, rule_size
from isobath.bench.plan import Family
from isobath.bench.regret import WORTH, Regret, regrets_of


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
    """One for each library with clear regrets of plain collectives."""
    files = []
    ruled = replace(measured, cells=tuple(filter(_can_be_ruled, measured.cells)))
    plain = regrets_of(ruled)
    for mpi in dict.fromkeys(regret.default.arm.mpi for regret in plain if regret.is_clear):
        own = [regret for regret in plain if regret.default.arm.mpi == mpi]
        files.append(WRITERS[own[0].default.arm.family](mpi, own))
    return tuple(files)


def _can_be_ruled(measured: MeasuredCell) -> bool:
    """A rule knows neither other settings nor other hardware, nor what the library has not."""
    forced = measured.cell.algorithm
    is_library_s = forced is None or not (forced.is_offload or forced.is_own)
    return measured.cell.is_plain and is_library_s


def _names(regrets: Sequence[Regret]) -> list[str]:
    """Collectives with a clear loss."""
    return list(
        dict.fromkeys(regret.default.cell.collective for regret in regrets if regret.is_clear)
    )


def _by_ranks(regrets: Iterable[Regret], name: str) -> dict[int, list[Regret]]:
    """Those of a collective by number of ranks, ascending; one for each size, in order of size."""
    by_ranks: dict[int, dict[int, Regret]] = {}
    for regret in sorted(regrets, key=lambda regret: regret.default.cell.size_bytes):
        if regret.default.cell.collective == name:
            own = by_ranks.setdefault(regret.default.first.ranks, {})
            own.setdefault(regret.default.cell.size_bytes, regret)
    return {ranks: list(by_ranks[ranks].values()) for ranks in sorted(by_ranks)}


def _openmpi(mpi: str, regrets: Sequence[Regret]) -> RuleFile:
    """Classic rule file of coll/tuned: a tree of collectives, communicator sizes, message sizes.

    Sizes are those that Open MPI compares (``rule_size``). A communicator takes the rules of the
    largest number of ranks that is not above its own: so behind each measured number stands the
    next one, with algorithm 0, which leaves the choice to the library.
    """
    names = [name for name in _names(regrets) if name in OPENMPI_RULE_IDS]
    lines = [f"{len(names)} # collectives with a rule"]
    for name in names:
        measured = _by_ranks(regrets, name)
        rules = {ranks: _openmpi_rules(name, ranks, own) for ranks, own in measured.items()}
        for ranks in measured:
            rules.setdefault(ranks + 1, [(0, 0)])
        lines += [f"{OPENMPI_RULE_IDS[name]} # {name}", f"{len(rules)} # communicator sizes"]
        for ranks in sorted(rules):
            lines += [f"{ranks} # ranks", f"{len(rules[ranks])} # message sizes"]
            lines += [f"{size} {forced} 0 0 # from this size: algorithm"
                      for size, forced in rules[ranks]]  # fmt: skip
    how = (
        "mpirun --mca coll_tuned_use_dynamic_rules 1 --mca coll_tuned_dynamic_rules_filename "
        "RULES ..."
    )
    return RuleFile(mpi, "openmpi", "openmpi-rules.conf", "\n".join(lines) + "\n", how)


def _openmpi_rules(name: str, ranks: int, own: Sequence[Regret]) -> list[tuple[int, int]]:
    """(from this size, algorithm); one rule alone where Open MPI cannot tell sizes apart."""
    if name in RULE_WITHOUT_SIZE:
        regret = max(own, key=lambda regret: regret.loss)
        harmful = not regret.is_clear or slower_at(own, regret.best.choice)
        return [(0, 0 if harmful else OPENMPI[name].index(regret.best.choice) + 1)]
    rules: list[tuple[int, int]] = []
    for regret in own:
        forced = OPENMPI[name].index(regret.best.choice) + 1 if regret.is_clear else 0
        if not rules or rules[-1][1] != forced:
            size = rule_size(name, regret.default.cell.size_bytes, ranks)
            rules.append((size if rules else 0, forced))
    return rules


def _intel(mpi: str, regrets: Sequence[Regret]) -> RuleFile:
    """I_MPI_ADJUST: ``id:low-high@ranks-ranks`` for each stretch of sizes with one best."""
    lines = []
    for name in _names(regrets):
        parts = [
            part
            for ranks, own in _by_ranks(regrets, name).items()
            for part in _intel_parts(ranks, own)
        ]
        lines.append(f'export I_MPI_ADJUST_{name.upper()}="{";".join(parts)}"')
    text = "\n".join(lines) + "\n"
    return RuleFile(mpi, "intel", "intel-adjust.sh", text, "source RULES before mpiexec")


def _intel_parts(ranks: int, own: Sequence[Regret]) -> list[str]:
    stretches: list[list[int]] = []
    sizes = [regret.default.cell.size_bytes for regret in own]
    for place, regret in enumerate(own):
        if not regret.is_clear or regret.best.cell.algorithm is None:
            continue
        number, size = int(regret.best.cell.algorithm.value), sizes[place]
        if stretches and stretches[-1][0] == number and stretches[-1][2] == sizes[place - 1]:
            stretches[-1][2] = size
        else:
            stretches.append([number, size, size])
    return [f"{number}:{low}-{high}@{ranks}-{ranks}" for number, low, high in stretches]


def slower_at(regrets: Sequence[Regret], choice: str) -> list[int]:
    """Sizes at which an algorithm is clearly slower than the default."""
    return [
        regret.default.cell.size_bytes
        for regret in regrets
        for other in regret.others
        if other.choice == choice
        and other.sure_bounds[0] > regret.default.sure_bounds[1]
        and other.seconds >= (1 + WORTH) * regret.default.seconds
    ]


def _hydra(mpi: str, regrets: Sequence[Regret]) -> RuleFile:
    """MPICH's variables know no sizes: a collective is forced where one algorithm is best
    wherever the default loses and is clearly slower nowhere; elsewhere a comment says what is.
    """
    lines = []
    for name in _names(regrets):
        measured = [regret for own in _by_ranks(regrets, name).values() for regret in own]
        lines += _hydra_lines(name, measured)
    text = "\n".join(lines) + "\n"
    how = "source RULES before mpiexec; a variable holds for all sizes and communicators"
    return RuleFile(mpi, "hydra", "mpich-cvars.sh", text, how)


def _hydra_lines(name: str, measured: Sequence[Regret]) -> list[str]:
    own = [regret for regret in measured if regret.is_clear]
    best = list(dict.fromkeys(regret.best.choice for regret in own))
    if len(best) > 1:
        said = "; ".join(
            f"{regret.default.cell.size_bytes}: {regret.best.choice}" for regret in own
        )
        return [f"# {name}: no single algorithm is best ({said})"]
    sizes = ", ".join(f"{regret.default.cell.size_bytes}" for regret in own)
    slower = slower_at(measured, best[0])
    if slower:
        at = ", ".join(map(str, slower))
        return [f"# {name}: {best[0]} wins at {sizes} bytes and loses at {at}"]
    variable = algorithms_of("hydra", name)[0].variable
    return [
        f"export {variable}={best[0]}  # measured at {sizes} bytes",
        f"export MPIR_CVAR_{name.upper()}_DEVICE_COLLECTIVE=0",
    ]


WRITERS = {"openmpi": _openmpi, "intel": _intel, "hydra": _hydra}
"""By family."""
