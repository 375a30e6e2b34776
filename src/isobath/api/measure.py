# SPDX-License-Identifier: Apache-2.0
"""What isobath run, race, bench, profile and search do, for programs.

``progress`` takes a line when a launch begins, goes over to another phase and ends; of a study of
several launches, when each of them ended. ``stop`` may ask for an end (launch/interrupts.py) and
needs no signals for that. What is measured is stored as the commands store it, and sealed with
``library`` in the place of what a person typed. A study that was not completed is returned too: its
``problems`` say why.
"""

import os
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from isobath.api import telling
from isobath.api.stored import Progress, Study, Where, _silent, study
from isobath.disclosure.words import stored_words
from isobath.errors import EnvironmentProblem, UsageError
from isobath.graphs.session import search as search_file
from isobath.kinds.profile.overhead import Round, measure_overhead
from isobath.kinds.profile.session import (
    NothingRecorded,
    ProfiledProgram,
    folder_of_ranks,
    profile_program,
)
from isobath.kinds.profile.settings import PROFILE, ProfileSettings
from isobath.kinds.run.preparation import prepare_run
from isobath.kinds.run.session import execute_run
from isobath.kinds.run.settings import RUN, RunSettings
from isobath.kinds.search.settings import SEARCH, SearchSettings, design_of, kept_of
from isobath.kinds.settings_of import stored_settings
from isobath.launch.installation import Installation
from isobath.launch.interrupts import NeverStop, Stop
from isobath.launch.limits import Asked
from isobath.launch.profiling import prepare
from isobath.settings.declaration import Declaration
from isobath.settings.sources import DEFAULT, merge
from isobath.store.folders import OpenRun
from isobath.study import home
from isobath.study.driver import Driver
from isobath.study.ids import make_id
from isobath.study.kinds import KINDS, KindEntry, entry_of
from isobath.study.planned import Planned, Planning
from isobath.study.sealing import LIBRARY
from isobath.study.shelf import Shelf

OF_THE_COMMAND = ("report", "reports")
"""Settings that say what follows the launches."""


def run(
    *, progress: Progress = _silent, stop: Stop | None = None, store: Where = None, **settings: Any
) -> Study:
    """One run of the Graph500 benchmark.

    Args: settings as in a file for ``isobath run`` (docs/reference/options.md), for example
        ``scale=20, ranks=2, keys=8``.
    Raises: UsageError for a setting that there is not or cannot be; EnvironmentProblem and
        RefusedError where it cannot run here; StoppedError where ``stop`` asked for the end before
        the run had begun.
    """
    ending = stop or NeverStop()
    chosen = RunSettings(**_wanted(RUN, settings))
    origins = dict.fromkeys(RUN.names, DEFAULT) | dict.fromkeys(settings, *LIBRARY)
    place = _store(store)
    prepared = prepare_run(chosen, origins, progress, store=place, stop=ending)
    opened = OpenRun(place, make_id(f"s{prepared.scale}"))
    words = f"scale {prepared.scale}, {prepared.layout.describe()}"
    progress(telling.begins(opened.run_id, words))
    driver = Driver(say=progress, watching=telling.Phases(progress).watching)
    done = execute_run(prepared, opened, ending, LIBRARY, driver)
    progress(telling.ended(opened.run_id, done.message))
    return study(done.folder.path)


def race(
    *, progress: Progress = _silent, stop: Stop | None = None, store: Where = None, **settings: Any
) -> Study:
    """A race of plans and settings.

    Args: settings as in a file for ``isobath race``; each may be one value or a list.
    Raises: as ``run``; nothing has been started then.
    """
    return _measured(entry_of("race"), settings, store, progress, stop or NeverStop())


def bench(
    kind: str,
    *,
    progress: Progress | Sequence[str] = _silent,
    stop: Stop | None = None,
    store: Where = None,
    **wanted: Any,
) -> Study:
    """A benchmark: ``kind`` is the second word of its command, for example ``collectives``.

    Args: wanted as in a file of settings for ``isobath bench KIND``; what is left out is chosen as
        there. A setting that takes several values takes one, a list, or a text with commas.
        ``progress`` is a setting of overlap and cg too: names in the place of a function.
    Raises: UsageError for an option that there is not or cannot be; EnvironmentProblem.
    """
    entry = next((each for each in KINDS if each.name == f"bench {kind}"), None)
    if entry is None:
        there = ", ".join(each.name.split()[1] for each in KINDS if each.label == "bench")
        raise UsageError(f"there is no benchmark {kind}; there are {there}")
    tell = progress if callable(progress) else _silent
    if not callable(progress):
        wanted["progress"] = progress
    return _measured(entry, wanted, store, tell, stop or NeverStop())


def profile(
    command: Sequence[str],
    *,
    progress: Progress = _silent,
    stop: Stop | None = None,
    store: Where = None,
    **wanted: Any,
) -> Study:
    """A profile of any MPI program: ``profile(["mpirun", "-n", "4", "./program"])``.

    The program keeps our standard streams.

    Args: wanted as in a file of settings for ``isobath profile``, for example ``timeline=True``.
    Raises: UsageError, EnvironmentProblem where it cannot be profiled; IsobathError where it left
        nothing.
    """
    values = _wanted(PROFILE, wanted | {"command": list(command)})
    settings = ProfileSettings(**values)
    with folder_of_ranks() as files:
        prepared = prepare(
            Installation.here(), list(settings.command), files, abi=settings.abi,
            pcontrol=settings.pcontrol,
        )  # fmt: skip
        kept: dict[str, Any] = {**wanted, "command": stored_words(command)}
        program = ProfiledProgram(
            prepared=prepared, typed=settings.command, files=files,
            with_timeline=settings.timeline, level_site=settings.level_site,
            settings=stored_settings(PROFILE, kept, dict.fromkeys(kept, *LIBRARY)),
        )  # fmt: skip
        progress(telling.begins("profile", shlex.join(stored_words(command))))
        done = profile_program(
            program, _store(store), stop or NeverStop(), LIBRARY,
            Driver(Asked(settings.hang_seconds, settings.time_limit), progress),
        )  # fmt: skip
    if isinstance(done, NothingRecorded):
        raise EnvironmentProblem(done.sentence)
    progress(telling.ended(done.folder.run_id, done.folder.summary().message))
    return study(done.folder.path)


def profile_overhead(
    command: Sequence[str],
    *,
    rounds: int = 5,
    stop: Stop | None = None,
    **wanted: Any,
) -> list[Round]:
    """Seconds of a program with and without the profiler, run in turns; nothing is stored.

    What the program prints is dropped. ``isobath.kinds.profile.overhead.overhead_text`` says in two
    sentences what the rounds tell.

    Args: wanted as for ``profile``.
    Raises: UsageError, also for fewer than two rounds; EnvironmentProblem where the program fails;
        StoppedError where ``stop`` asked for the end.
    """
    settings = ProfileSettings(**_wanted(PROFILE, wanted | {"command": list(command)}))
    with folder_of_ranks() as files:
        prepared = prepare(
            Installation.here(), list(settings.command), files, abi=settings.abi,
            pcontrol=settings.pcontrol,
        )  # fmt: skip
        asked = Asked(settings.hang_seconds, settings.time_limit)
        return measure_overhead(prepared, settings.command, rounds, asked, stop)


def search(
    graph: str | os.PathLike[str],
    *,
    progress: Progress = _silent,
    stop: Stop | None = None,
    store: Where = None,
    **wanted: Any,
) -> Study:
    """Searches in the graph of a file, stored; ``load`` gives the answers as arrays instead.

    Args: wanted as in a file of settings for ``isobath search``; ``roots`` is ``root`` as well.
    Raises: UsageError, EnvironmentProblem where nothing could be started.
    """
    if "roots" in wanted:
        wanted["root"] = list(wanted.pop("roots"))
    values = _wanted(SEARCH, wanted | {"graph": os.fspath(graph)})
    settings = SearchSettings(**values)
    design = design_of(settings)
    if settings.answers:
        raise UsageError("answers of a search are had by isobath.api.load, not by files")
    kept = kept_of(design, values)
    progress(telling.begins("search", design.graph.path.name))
    done = search_file(
        design,
        _store(store),
        stop or NeverStop(),
        wants_answers=False,
        watch=telling.Phases(progress).of_search,
        asked=Asked(settings.hang_seconds, settings.time_limit),
        settings=stored_settings(SEARCH, kept, dict.fromkeys(kept, *LIBRARY)),
    )
    progress(telling.ended(done.folder.run_id, done.message))
    return study(done.folder.path)


def _shelf(store: Where) -> Shelf:
    return home.shelf(os.fspath(store) if store is not None else None)


def _store(store: Where) -> Path:
    return _shelf(store).folders[0]


def _wanted(asked: Declaration, given: Mapping[str, Any]) -> Mapping[str, Any]:
    """Values of settings. Raises: UsageError for a name or a value that there is not."""
    for name in given:
        if name in OF_THE_COMMAND:
            raise UsageError(f"{name} is of the command alone; call report() of the study")
    return merge(asked, options=given, origin_of=str).values


def _measured(
    entry: KindEntry, wanted: Mapping[str, Any], store: Where, progress: Progress, stop: Stop
) -> Study:
    """A study of several launches, from its settings to its end."""
    values = _wanted(entry.declaration(), wanted)
    shelf = _shelf(store)
    place = shelf.folders[0]
    planned = entry.plan(values, Planning(place, shelf, progress, progress, stop))
    for sentence in planned.notes:
        progress(sentence)
    return _done(entry, planned, place, progress, stop)


def _done(entry: KindEntry, planned: Planned, place: Path, progress: Progress, stop: Stop) -> Study:
    """The same from its plan."""
    stored = study(planned.begin_in(place, entry.word, LIBRARY).path)
    stored.resume(progress, stop)
    return stored
