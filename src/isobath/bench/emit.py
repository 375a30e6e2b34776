# SPDX-License-Identifier: Apache-2.0
"""A benchmark in the shape of other people's tools: tables like IMB's and OSU's, a C program."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean

from isobath.bench.measured import Curve, Measured, MeasuredCell
from isobath.errors import UsageError
from isobath.records.collective import CollectiveRecord

IMB_NAMES = {
    "allgather": "Allgather", "allgatherv": "Allgatherv", "allreduce": "Allreduce",
    "alltoall": "Alltoall", "alltoallv": "Alltoallv", "barrier": "Barrier", "bcast": "Bcast",
    "gather": "Gather", "gatherv": "Gatherv", "reduce": "Reduce",
    "reduce_scatter": "Reduce_scatter", "reduce_scatter_block": "Reduce_scatter_block",
    "scatter": "Scatter", "scatterv": "Scatterv",
}  # fmt: skip
"""Collectives of IMB-MPI1."""

WHOLE_VECTOR = frozenset({"reduce_scatter", "reduce_scatter_block"})
"""IMB and OSU count the whole vector of these, here the block of one rank is the size."""


@dataclass(frozen=True)
class MeanTimes:
    """Means over repetitions, rank by rank: what IMB and OSU print. In microseconds."""

    repetitions: int
    smallest: float
    largest: float
    mean: float


def mean_times(
    measured: MeasuredCell, records: Sequence[CollectiveRecord] | None = None
) -> MeanTimes:
    """Of all valid repetitions, for comparison with tools that print means.

    Args: records of some of its launches; by default of all.

    Raises: ValueError where nothing was measured.
    """
    by_rank: list[list[float]] = [[] for _ in range(measured.first.ranks)]
    for record in measured.records if records is None else records:
        entries, exits = record.entry_nanoseconds, record.exit_nanoseconds
        if entries is None or exits is None:
            continue
        invalid = set(record.invalid or ())
        for rank in range(record.ranks):
            by_rank[rank] += [
                (exits[rank][n] - entries[rank][n]) / 1e3
                for n in range(record.warm_up_repetitions or 0, len(entries[rank]))
                if n not in invalid
            ]
    if not by_rank[0]:
        raise ValueError(f"{measured.cell.words()} has no times")
    means = [fmean(times) for times in by_rank]
    return MeanTimes(len(by_rank[0]), min(means), max(means), fmean(means))


def theirs(measured: MeasuredCell) -> int:
    """The size as IMB and OSU count it."""
    size = measured.cell.size_bytes
    return size * measured.first.ranks if measured.cell.collective in WHOLE_VECTOR else size


def imb_table(measured: Measured) -> str:
    """Blocking collectives in the columns of IMB-MPI1; means, where our own tables have medians."""
    return "\n\n".join("\n".join(_imb(curve)) for curve in _plain(measured)) + "\n"


def osu_table(measured: Measured) -> str:
    """The same in the columns of the OSU Micro-Benchmarks with -f."""
    return "\n\n".join("\n".join(_osu(curve)) for curve in _plain(measured)) + "\n"


def _plain(measured: Measured) -> Iterator[Curve]:
    """Curves that these tools could have measured."""
    has_curves = False
    for curve in measured.default_curves:
        cell = curve.first.cell
        if cell.is_plain and cell.collective in IMB_NAMES:
            has_curves = True
            yield curve
    if not has_curves:
        raise UsageError(
            "there is no result in this benchmark that IMB or OSU could have: none is blocking, "
            "uniform, isolated, warm and of all ranks starting together, or every cell is "
            "oversubscribed"
        )


def _imb(curve: Curve) -> Iterator[str]:
    name, ranks = IMB_NAMES[curve.first.cell.collective], curve.first.first.ranks
    rule = "#" + "-" * 64
    yield from (rule, f"# Benchmarking {name} ", f"# #processes = {ranks} ", rule)
    columns = f"{'#repetitions':>13} {'t_min[usec]':>12} {'t_max[usec]':>12} {'t_avg[usec]':>12}"
    barrier = name == "Barrier"
    yield columns if barrier else f"{'#bytes':>13} {columns}"
    for cell in curve.cells:
        times = mean_times(cell)
        text = f"{times.repetitions:>13} {times.smallest:>12.2f} {times.largest:>12.2f} "
        text += f"{times.mean:>12.2f}"
        yield text if barrier else f"{theirs(cell):>13} {text}"


def _osu(curve: Curve) -> Iterator[str]:
    name = IMB_NAMES[curve.first.cell.collective]
    yield f"# OSU MPI {name} Latency Test, in its columns, measured by Isobath"
    yield (
        f"{'# Size':<10}{'Avg Latency(us)':>18}{'Min Latency(us)':>18}{'Max Latency(us)':>18}"
        f"{'Iterations':>12}"
    )
    for cell in curve.cells:
        times = mean_times(cell)
        yield (
            f"{theirs(cell):<10}{times.mean:>18.2f}{times.smallest:>18.2f}{times.largest:>18.2f}"
            f"{times.repetitions:>12}"
        )
