# SPDX-License-Identifier: Apache-2.0
"""A benchmark of overlap in the tables that others print: OSU's, and the paper's Overlap Test."""

from collections.abc import Callable, Iterable, Sequence

from isobath.overlap.folders import OverlapRead
from isobath.overlap.percentages import Percentage
from isobath.overlap.printed import SYMBOLS, SymbolTime, osu_times, overlap_test
from isobath.overlap.reading import Group, Row, name_of
from isobath.report.wording import count_of
from isobath.units import Seconds
from isobath.view.content import Column, Section, Table, columns, nothing

CROWDED = "oversubscribed: no result"
UNKNOWN = "-"
"""what older records do not have"""


def osu_section(read: OverlapRead) -> Section:
    """The columns of an OSU benchmark of a non-blocking collective, with those of its option -f."""
    heads = columns(*library_head(read), "=progress", "#bytes", "#Overall", "#Compute", "#Init",
                    "#Test", "#Wait", "#Pure", "#Overlap, %")  # fmt: skip
    tables = _tables(read.groups, heads, keys=2 + len(library_head(read)), rows=_osu_rows)
    if not tables:
        return nothing("osu", "As OSU prints it", "This benchmark has no times.")
    return Section(
        "osu",
        "As OSU prints it",
        tables,
        lead="Microseconds, means over ranks and repetitions; Overlap is the mean over launches "
        "with its 95 % interval. Compute is asked to last as long as Pure, however little is done, "
        "and is without the tests. Work is not fixed: for that see the Overlap Test.",
    )


def _osu_rows(group: Group) -> Iterable[tuple[str, ...]]:
    for row in group.middle:
        named = (*library_cell(row), name_of(row.record), str(group.size_bytes))
        if row.record.oversubscribed:
            yield (*named, CROWDED)
            continue
        times, percentage = osu_times(row), row.percentages.osu
        values = (times.overall, times.compute, times.init, times.test, times.wait, times.pure)
        yield (*named, *map(_microseconds, values), percentage_words(percentage, 1))


def library_head(read: OverlapRead) -> tuple[str, ...]:
    """A column for the library, where several are compared."""
    return ("=library",) if len(read.plan.libraries) > 1 else ()


def library_cell(row: Row) -> tuple[str, ...]:
    """What stands in it."""
    return (row.place.mpi,) if row.place.mpi else ()


def percentage_words(percentage: Percentage, digits: int = 0) -> str:
    """The mean over launches and its interval."""
    interval = percentage.interval
    within = f" ({interval.low:.{digits}f} to {interval.high:.{digits}f})" if interval else ""
    return f"{percentage.value:.{digits}f}{within}"


def overlap_test_section(read: OverlapRead) -> Section:
    """M, N and the five times of the paper: mean, median and interval of each."""
    heads = columns(*library_head(read), "=progress", "#M", "#N", "#rows", "=of",
                    *(f"#{symbol}" for symbol in SYMBOLS))  # fmt: skip
    keys = 5 + len(library_head(read))
    tables = _tables(read.groups, heads, keys=keys, rows=_test_rows)
    if not tables:
        said = "Its work is a product of matrices, which was not measured here: --work product."
        return nothing("overlap-test", "Overlap Test", said)
    return Section(
        "overlap-test",
        "Overlap Test",
        tables,
        lead="Microseconds. M elements of 8 bytes in the vector, or in the block of one rank "
        "(--sizes); product of matrices of order N (--order), of which each rank works out the "
        "rows named, by OpenMP threads. Tcomm: blocking call; Tnbcomm: start and wait; Tcomp: "
        "work; Tblock: blocking call, then work; Tovlp: start, work, wait. The mean is the "
        "paper's, of the first 20 runs of each launch (of fewer where a launch has fewer), then "
        "over launches; below are the median of launches and its 95 % interval.",
    )


def _test_rows(group: Group) -> Iterable[tuple[str, ...]]:
    for row in group.rows:
        yield from _lines_of(row)


def _lines_of(row: Row) -> Iterable[tuple[str, ...]]:
    test = overlap_test(row)
    if test is None:
        return
    named = (
        *library_cell(row),
        name_of(row.record),
        *map(str, (test.elements, test.order, test.rows)),
    )
    if row.record.oversubscribed:
        yield (*named, "", CROWDED)
        return
    yield (*named, f"mean of {test.runs}", *(_microseconds(timed.mean) for timed in test.times))
    yield (*named, "median", *(_microseconds(timed.median) for timed in test.times))
    yield (*named, "from", *(_bounds(timed)[0] for timed in test.times))
    yield (*named, "to", *(_bounds(timed)[1] for timed in test.times))


def _bounds(timed: SymbolTime) -> tuple[str, str]:
    if timed.interval is None:
        return UNKNOWN, UNKNOWN
    return _microseconds(timed.interval.low), _microseconds(timed.interval.high)


def _microseconds(seconds: Seconds | None) -> str:
    """With two digits behind the point, as both print them."""
    return UNKNOWN if seconds is None else f"{seconds * 1e6:.2f}"


def _tables(
    groups: Sequence[Group],
    heads: tuple[Column, ...],
    *,
    keys: int,
    rows: Callable[[Group], Iterable[tuple[str, ...]]],
) -> tuple[Table, ...]:
    """One for each collective, number of ranks and place, sizes below each other and libraries
    beside each other; no empty ones.
    """
    by_table: dict[str, list[tuple[str, ...]]] = {}
    for group in groups:
        where = f" on {group.place.words}" if group.place.words else ""
        title = f"{group.collective}, {count_of(group.ranks, 'rank')}{where}"
        by_table.setdefault(title, []).extend(rows(group))
    return tuple(
        Table(title, heads, tuple(lines), folded=True, keys=keys)
        for title, lines in by_table.items()
        if lines
    )
