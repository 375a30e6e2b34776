# SPDX-License-Identifier: Apache-2.0
"""A run in a few sentences."""

from isobath.records.run_records import RunRecords
from isobath.records.search import Kernel, SearchRecord
from isobath.report.wording import all_of, count_of, was_of
from isobath.stats.estimates import harmonic_mean_teps, quartiles
from isobath.stats.intervals import estimate_interval
from isobath.units import format_bytes, format_count, format_seconds, format_teps

KERNEL_TITLES = {"bfs": "Breadth-first", "sssp": "Shortest paths"}
KERNEL_WORDS = {"bfs": "breadth-first search", "sssp": "shortest paths"}


def summary_sentences(run: RunRecords) -> list[str]:
    """What was done, how fast, and whether it may be believed; one sentence each."""
    sentences = [_what(run)]
    searches = run.timed_searches
    if searches:
        sentences += [*_fewer_keys(run)]
        for kernel in run.kernels:
            sentences += _of_kernel(run, kernel)
    finish = run.finish
    if run.constructions:
        built = " and ".join(
            f"{format_seconds(construction.seconds)}{_for_kernel(run, construction.kernel)}"
            for construction in run.constructions
        )
        file = run.run.graph
        generated = format_seconds(run.constructions[0].generation_seconds)
        source = (
            f"read in {format_seconds(file.load_seconds)}" if file else f"generated in {generated}"
        )
        sentences.append(f"Edges were {source}, the graph was constructed in {built}.")
    if finish:
        hosts = "1 host" if len(run.run.hosts) == 1 else f"{len(run.run.hosts)} hosts"
        sentences.append(
            f"All ranks together took {format_bytes(finish.peak_bytes)} of memory on {hosts}, "
            f"and the whole run {format_seconds(finish.seconds)}."
        )
    if run.run.oversubscribed:
        sentences.append("OVERSUBSCRIBED: times with more threads than processors mean little.")
    return sentences


def _what(run: RunRecords) -> str:
    file = run.run.graph
    vertices = file.num_vertices if file else 1 << run.run.scale
    edges = file.num_edges if file else run.run.edgefactor << run.run.scale
    count = len(run.timed_searches)
    graph = (
        f"graph of {format_count(vertices)} vertices and {format_count(edges)} edges "
        f"({file.path if file else f'scale {run.run.scale}'})"
    )
    how = (
        f"with the plan {run.plan} on a {run.run.grid_rows}x{run.run.grid_cols} grid, "
        f"{count_of(run.run.threads_per_rank, 'thread')} a rank"
    )
    if not count:
        return f"No search of a {graph} was completed {how}."
    times = "once" if count == 1 else f"{count} times"
    return f"A {graph} was searched {times} {how}."


def _for_kernel(run: RunRecords, kernel: Kernel) -> str:
    """Said where there are two of something."""
    return f" for {KERNEL_WORDS[kernel]}" if len(run.kernels) > 1 else ""


def _of_kernel(run: RunRecords, kernel: Kernel) -> list[str]:
    """Speed and verdict of one kernel's searches; a run of bfs alone does not name it."""
    searches = run.timed_searches_of(kernel)
    if not searches:
        return [f"There was no search for {KERNEL_WORDS[kernel]}."]
    speed, verdict = _speed(run, searches), _verdict(searches)
    if run.kernels == ("bfs",):
        return [speed, verdict]
    paths = run.path_plan
    how = ""
    if kernel == "sssp" and paths is not None:
        how = f" by the plan {paths.plan}"
        if paths.reason:
            how += f" ({paths.reason})"
        if paths.pruned:
            how += ", PRUNED: construction left out edges that lie on no shortest path"
    return [f"{KERNEL_TITLES[kernel]}{how}: {speed}", verdict]


def _fewer_keys(run: RunRecords) -> list[str]:
    """Tiny graphs have fewer usable keys than are asked for; the reference gives up there, too."""
    used, asked = len(run.timed_searches), run.run.keys_requested
    if run.state != "complete" or used >= asked:
        return []
    if run.run.graph:
        return [f"Only {used} of {asked} search keys {was_of(used)} found that have a neighbour."]
    return [
        f"Only {used} of {asked} search keys {was_of(used)} found: scale {run.run.scale} has no "
        "more that the drawing of the reference accepts."
    ]


def _speed(run: RunRecords, timed: tuple[SearchRecord, ...]) -> str:
    searches = [search for search in timed if search.traversed_edges > 0]
    if not searches:
        return "No search traversed an edge."
    edges = [search.traversed_edges for search in searches]
    seconds = [search.seconds for search in searches]
    estimate = harmonic_mean_teps(edges, seconds)
    interval = estimate_interval(estimate)
    within = ""
    if interval:
        low, high = format_teps(max(interval.low, 0.0)), format_teps(interval.high)
        within = f" (95 % interval of this run {low} to {high})"
    label = f"{run.label}: " if run.label else ""
    took = f"the search took {format_seconds(seconds[0])}"
    if len(seconds) > 1:
        took = (
            f"a search took {format_seconds(quartiles(seconds)[1])} in the median, "
            f"{format_seconds(min(seconds))} to {format_seconds(max(seconds))}"
        )
    rate = "" if len(seconds) == 1 else " harmonic mean"
    return f"{label}{format_teps(estimate.value)}{rate}{within}; {took}."


def _verdict(searches: tuple[SearchRecord, ...]) -> str:
    validated = [s for s in searches if s.validation is not None]
    failed = [s for s in validated if s.validation is not None and not s.validation.passed]
    if failed and failed[0].validation:
        first = failed[0].validation.first_violation or "no example was kept"
        total = count_of(len(searches), "search", "searches")
        return f"VIOLATIONS in {len(failed)} of {total}; the first: {first}."
    if len(validated) == len(searches):
        total = all_of(len(searches), "search", "searches")
        return f"{total} passed every rule against the original edges."
    missing = len(searches) - len(validated)
    return f"UNVALIDATED: {missing} of {len(searches)} {was_of(missing)} not validated."
