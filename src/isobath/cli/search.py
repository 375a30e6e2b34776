# SPDX-License-Identifier: Apache-2.0
"""isobath search: the graph of a file."""

import shlex
import sys

from isobath.cli.beside_settings import AsJson, DryRun
from isobath.cli.declared import Given, takes_settings
from isobath.cli.places import front_door, shown
from isobath.cli.planned import print_dry_run
from isobath.cli.run_summary_text import summary_sentences
from isobath.cli.studies import show_found, typed_study
from isobath.cli.terminal import explain, fitted, is_quiet, say, warn
from isobath.disclosure.words import typed_command
from isobath.graphs.design import SearchDesign
from isobath.kinds.search.settings import SEARCH, SearchSettings, design_of, kept_of
from isobath.kinds.settings_of import stored_settings, written_settings
from isobath.launch.interrupts import Interrupts
from isobath.launch.limits import Asked
from isobath.records.run_records import RunRecords
from isobath.records.search import SearchRecord
from isobath.store.folders import RunPaths
from isobath.study.home import shelf
from isobath.study.ids import make_id
from isobath.study.kinds import entry_of


@takes_settings(SEARCH)
def search(*, given: Given, dry_run: DryRun = False, json_output: AsJson = False) -> int:
    """Search the graph of a file from given or sampled roots; validate and time every search.

    Reads Matrix Market, edge lists, GAPBS .sg and .wsg, packed and raw edges, Parquet; text also
    compressed by gzip or zstd. Edges have no direction. The table goes to standard output.
    """
    from isobath.graphs.files import require_place, write_answers
    from isobath.graphs.session import search as search_file

    merged = given.merged()
    settings = SearchSettings(**merged.values)
    design = design_of(settings)
    wanted = settings.answers
    for file in wanted.values():
        require_place(file)
    kept = kept_of(design, merged.values)
    if dry_run:
        return _show_plan(design, settings, kept, as_json=json_output)
    with Interrupts() as interrupts:
        finished = search_file(
            design,
            shelf(settings.store).folders[0],
            interrupts,
            command=typed_command(),
            wants_answers=bool(wanted),
            asked=Asked(settings.hang_seconds, settings.time_limit),
            settings=stored_settings(SEARCH, kept, merged.origins),
        )
        place = finished.folder.path
        if json_output:
            kind = entry_of("search").load()
            show_found(kind, place, kind.read(place), as_json=True)
        if finished.records is not None:
            if not json_output:
                print(_table(finished.roots, finished.records), flush=True)
            for sentence in () if is_quiet() else summary_sentences(finished.records):
                print(sentence, file=sys.stderr)
        if finished.message:
            warn(finished.message)
        for kind_of_answer, file in wanted.items():
            if finished.answers is not None:
                for written in write_answers(finished.answers, kind_of_answer, file):
                    say(f"{kind_of_answer} {shown(written)}")
        explain(f"it was {shlex.join(finished.folder.summary().launch_line)}")
        say(f"run {shown(place)}; next: {front_door()} show {typed_study(place)}")
    return int(finished.exit_code)


def _show_plan(
    design: SearchDesign, settings: SearchSettings, kept: dict[str, object], *, as_json: bool
) -> int:
    """``--dry-run``: where ranks would start, and how. How long it takes is not known."""
    from isobath.graphs.session import prepare_search

    prepared = prepare_search(design)
    run = RunPaths(shelf(settings.store).folders[0], make_id("search"))
    line = prepared.line(design.graph, run)
    words = f"{design.graph.path.name}, {prepared.layout.describe()}"
    if as_json:
        asked = written_settings(SEARCH, kept | {"mpi": prepared.mpi.id})
        launch = {"name": run.run_id, "words": words, "command": list(line.command)}
        return print_dry_run("search", asked, [launch], run.sealed_path)
    print(f"MPI {prepared.mpi.id} {prepared.mpi.version}".rstrip())
    print(fitted(words))
    print("time: not known before the graph is read")
    print(fitted(f"run folder: {shown(run.sealed_path)}"))
    print(f"launch line: {line.text()}")
    return 0


def _table(roots: tuple[int, ...], run: RunRecords) -> str:
    """A line for each search."""
    heads = {"root": 19, "seconds": 11, "TEPS": 11, "reached": 11}
    if len(run.kernels) > 1:
        heads = {"root": 19, "kernel": 6} | heads
    heads |= {"levels": 6} if "bfs" in run.kernels else {}
    heads |= {"farthest": 9} if "sssp" in run.kernels else {}
    searches = [record for kernel in run.kernels for record in run.timed_searches_of(kernel)]
    lines = [" ".join(f"{name:>{width}}" for name, width in heads.items())]
    for root, record in zip(roots, searches, strict=False):  # a run that broke off has no roots
        cells = _cells(root, record)
        lines.append(" ".join(f"{cells[name]:>{width}}" for name, width in heads.items()))
    return "\n".join(lines)


def _cells(root: int, record: SearchRecord) -> dict[str, str]:
    return {
        "root": str(root),
        "kernel": record.kernel,
        "seconds": f"{record.seconds:.6g}",
        "TEPS": f"{record.teps:.6g}",
        "reached": "-" if record.vertices_reached is None else str(record.vertices_reached),
        "levels": "-" if record.levels is None else str(record.levels),
        "farthest": "-" if record.distances is None else f"{record.distances.max:.6g}",
    }
