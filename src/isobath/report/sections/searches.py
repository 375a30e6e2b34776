# SPDX-License-Identifier: Apache-2.0
"""The rate of every search."""

from isobath.records.search import SearchRecord
from isobath.report.marks import Point
from isobath.report.run_data import RunData
from isobath.report.run_marks import SearchChart
from isobath.report.wording import count_of, gteps, milliseconds
from isobath.stats.estimates import quartiles, summary
from isobath.view.content import Figure, Legend, Section, Table, columns, first_rows

TITLE = "Every search"

SHOWN_ROWS = 512

STATISTICS = {
    "minimum": "minimum",
    "first_quartile": "first quartile",
    "median": "median",
    "third_quartile": "third quartile",
    "maximum": "maximum",
    "mean": "mean (GTEPS: harmonic)",
    "standard_deviation": "deviation (GTEPS: standard error of that mean)",
}

needs = ("search.index", "search.seconds", "search.teps", "search.traversed_edges")


def render(data: RunData) -> Section:
    """A mark per search, the seven numbers of the specification, and a row per search."""
    return Section(
        "searches", TITLE, (_figure(data), _seven_numbers(data)), lead=caption(data.searches)
    )


def caption(searches: tuple[SearchRecord, ...]) -> str:
    """One sentence on spread, the slowest and the first search."""
    rates = [search.teps for search in searches]
    if len(rates) == 1:
        return f"The only search ran at {gteps(rates[0])} GTEPS."
    _, middle, _ = quartiles(rates)
    seconds = [search.seconds for search in searches]
    _, typical, _ = quartiles(seconds)
    slowest = max(searches, key=lambda search: search.seconds)
    return (
        f"{len(rates)} searches ran at {gteps(min(rates))} to {gteps(max(rates))} GTEPS, half of "
        f"them above {gteps(middle)}; the slowest (search {slowest.index}) took "
        f"{slowest.seconds / typical:.2f} times the median time, the first "
        f"{seconds[0] / typical:.2f} times."
    )


def _figure(data: RunData) -> Figure:
    estimate = data.teps
    points = [
        Point(s.index, s.teps / 1e9, bool(s.validation and s.validation.passed))
        for s in data.searches
    ]
    mean = None if estimate is None else estimate.value / 1e9
    error = None
    if estimate is not None and estimate.standard_error is not None:
        error = estimate.standard_error / 1e9
    chart = SearchChart(tuple(points), mean, error, not data.validated)
    legend = [Legend("accent", "a validated search")]
    if any(not point.validated for point in points):
        legend = [legend[0], Legend("bad", "UNVALIDATED search (cross)")]
        if not any(point.validated for point in points):
            legend = legend[1:]
    if estimate is not None:
        band = " (line) and its standard error (band)" if error else ""
        legend.append(Legend("mark", f"harmonic mean{band}"))
    return Figure(
        chart,
        f"GTEPS of {count_of(len(points), 'search', 'searches')} in the order of the run.",
        tuple(legend),
        _rows(data),
    )


def _seven_numbers(data: RunData) -> Table:
    seconds = vars(summary([search.seconds for search in data.searches]))
    edges = vars(summary([float(search.traversed_edges) for search in data.searches]))
    rates = vars(summary([search.teps for search in data.searches]))
    harmonic = {"mean": data.teps and data.teps.value}
    harmonic["standard_deviation"] = data.teps and data.teps.standard_error
    rows = []
    for name, words in STATISTICS.items():
        rate = harmonic.get(name, rates[name])
        rows.append(
            (
                words,
                milliseconds(seconds[name]),
                f"{edges[name]:,.0f}",
                "" if rate is None else gteps(rate, 4 if name == "standard_deviation" else 3),
            )
        )
    return Table(
        "The seven numbers of the specification",
        columns("statistic", "#time, ms", "#traversed edges", "#GTEPS"),
        tuple(rows),
    )


def _rows(data: RunData) -> Table:
    def outcome(search: SearchRecord) -> str:
        if search.validation is None:
            return "UNVALIDATED"
        return "passed" if search.validation.passed else "UNVALIDATED: violations"

    def known(number: int | None) -> str:
        return "" if number is None else f"{number:,}"

    rows = [
        (
            str(s.index),
            str(s.root),
            milliseconds(s.seconds),
            gteps(s.teps),
            f"{s.traversed_edges:,}",
            known(s.vertices_reached),
            known(s.levels),
            f"{s.page_faults:,}",
            outcome(s),
        )
        for s in data.searches
    ]
    shown, left_out = first_rows(rows, SHOWN_ROWS, "records.jsonl")
    heads = columns(
        "#search",
        "#root",
        "#time, ms",
        "#GTEPS",
        "#traversed edges",
        "#vertices reached",
        "#levels",
        "#page faults",
        "validation",
    )
    return Table("Every search in numbers", heads, shown, folded=True, left_out=left_out)
