# SPDX-License-Identifier: Apache-2.0
"""What isobath run, race, bench, profile and search do, for programs.

``progress`` takes a line now and then; ``stop`` may ask for an end (launch/interrupts.py). What is
measured is stored as the commands store it, and sealed with ``library`` in the place of what a
person typed. A study that was not completed is returned too: its ``problems`` say why.
"""

import os
import tempfile
from collections.abc import Sequence
from dataclasses import fields
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal, TypeVar

from isobath.api.stored import Progress, Study, Where, _silent, study
from isobath.bench.folders import PLAN as COLLECTIVES_PLAN
from isobath.bench.folders import BenchFolder
from isobath.errors import EnvironmentProblem, UsageError
from isobath.graphs.request import GraphFile, SearchRequest
from isobath.graphs.session import search as search_file
from isobath.kinds.cg.plan import PLAN as CG_PLAN
from isobath.kinds.cg.wanted import CgRequest, plan_cg
from isobath.kinds.collectives.wanted import Request as CollectivesRequest
from isobath.kinds.collectives.wanted import plan_bench
from isobath.kinds.overlap.wanted import OverlapRequest, plan_overlap
from isobath.kinds.profile.session import NothingRecorded, ProfiledProgram, profile_program
from isobath.kinds.race.auditor import check_audit_programs
from isobath.kinds.race.wanted import check_cells, plan_race, rough_calibration
from isobath.kinds.race.wish import read_wish
from isobath.kinds.run.preparation import prepare_run
from isobath.kinds.run.session import execute_run
from isobath.kinds.run.settings import SETTING_NAMES, merge_settings
from isobath.launch.installation import Installation
from isobath.launch.interrupts import NeverStop, Stop
from isobath.launch.profiling import prepare
from isobath.overlap.folders import PLAN as OVERLAP_PLAN
from isobath.race.folders import PLAN as RACE_PLAN
from isobath.race.folders import RaceFolder
from isobath.settings.values import or_nearest
from isobath.store.folders import OpenRun
from isobath.study import home
from isobath.study.driver import Driver
from isobath.study.folder import StudyFolder
from isobath.study.ids import make_id
from isobath.study.sealing import LIBRARY

OF_THE_COMMAND = ("report", "reports")
"""Settings of a run that say what follows it."""

Asked = TypeVar("Asked", CgRequest, OverlapRequest, CollectivesRequest)


def run(
    *, progress: Progress = _silent, stop: Stop | None = None, store: Where = None, **settings: Any
) -> Study:
    """One run of the Graph500 benchmark.

    Args: settings as in a file for ``isobath run`` (docs/reference/options.md), for example
        ``scale=20, ranks=2, keys=8``.
    Raises: UsageError for a setting that there is not or cannot be; EnvironmentProblem and
        RefusedError where it cannot run here.
    """
    ending = stop or NeverStop()
    for name in settings:
        if name in OF_THE_COMMAND:
            raise UsageError(f"{name} is of the command alone; call report() of the study")
        if name not in SETTING_NAMES:
            raise UsageError(f"there is no setting {name}{or_nearest(name, SETTING_NAMES)}")
    chosen, origins = merge_settings(file=None, variables={}, options=settings)
    origins |= dict.fromkeys(settings, *LIBRARY)
    place = _store(store)
    prepared = prepare_run(chosen, origins, progress, store=place, stop=ending)
    opened = OpenRun(place, make_id(f"s{prepared.scale}"))
    ended = execute_run(prepared, opened, ending, LIBRARY, Driver(say=progress))
    return study(ended.folder.path)


def race(
    *, progress: Progress = _silent, stop: Stop | None = None, store: Where = None, **settings: Any
) -> Study:
    """A race of plans and settings.

    Args: settings as in a file for ``isobath race``; each may be one value or a list.
    Raises: as ``run``; nothing has been started then.
    """
    wish = read_wish(file=None, variables={}, options=settings)
    ending = stop or NeverStop()
    spec = plan_race(wish)
    created = datetime.now(UTC)
    folder = RaceFolder(_store(store) / make_id("race", created))
    check_cells(spec, folder.runs, rough_calibration(spec, progress, ending))
    if spec.audit:
        check_audit_programs(spec)
    RACE_PLAN.begin(folder, spec, created=created, command=LIBRARY)
    return _done(folder, progress, ending)


def bench(
    kind: Literal["collectives", "overlap", "cg"],
    *,
    progress: Progress = _silent,
    stop: Stop | None = None,
    store: Where = None,
    **wanted: Any,
) -> Study:
    """A benchmark of collectives, of overlap, or of conjugate gradients.

    Args: wanted as the options of ``isobath bench KIND``, ``_`` for ``-``; what is left out is
        chosen as there. Options that take a list take a tuple for collectives, else a text.
    Raises: UsageError for an option that there is not or cannot be; EnvironmentProblem.
    """
    created = datetime.now(UTC)
    place = _store(store)
    if kind == "cg":
        folder = StudyFolder(place / make_id("cg", created))
        missing = dict.fromkeys((one.name for one in fields(CgRequest)), None)
        plan = plan_cg(_request(CgRequest, missing | wanted))
        CG_PLAN.begin(folder, plan, created=created, command=LIBRARY)
    elif kind == "overlap":
        folder = StudyFolder(place / make_id("overlap", created))
        asked = plan_overlap(_request(OverlapRequest, wanted), progress)
        OVERLAP_PLAN.begin(folder, asked, created=created, command=LIBRARY)
    elif kind == "collectives":
        folder = BenchFolder(place / make_id("bench", created))
        spec = plan_bench(_request(CollectivesRequest, wanted), {})
        COLLECTIVES_PLAN.begin(folder, spec, created=created, command=LIBRARY)
    else:
        raise UsageError(f"there is no benchmark {kind}; there are collectives, overlap and cg")
    return _done(folder, progress, stop or NeverStop())


def profile(
    command: Sequence[str],
    *,
    timeline: bool = False,
    progress: Progress = _silent,
    stop: Stop | None = None,
    store: Where = None,
) -> Study:
    """A profile of any MPI program: ``profile(["mpirun", "-n", "4", "./program"])``.

    The program keeps our standard streams.

    Raises: UsageError, EnvironmentProblem where it cannot be profiled; IsobathError where it left
        nothing.
    """
    scratch = Installation.here().state_folder / "profiles"
    scratch.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="isobath-profile-", dir=scratch) as name:
        prepared = prepare(Installation.here(), list(command), Path(name))
        program = ProfiledProgram(
            prepared=prepared, typed=tuple(command), files=Path(name), with_timeline=timeline
        )
        done = profile_program(
            program, _store(store), stop or NeverStop(), LIBRARY, Driver(say=progress)
        )
    if isinstance(done, NothingRecorded):
        raise EnvironmentProblem(done.sentence)
    return study(done.folder.path)


def search(
    graph: str | os.PathLike[str],
    *,
    stop: Stop | None = None,
    store: Where = None,
    **wanted: Any,
) -> Study:
    """Searches in the graph of a file, stored; ``load`` gives the answers as arrays instead.

    Args: wanted as fields of graphs.request.SearchRequest: roots, keys, kernel, plan, ranks ...
    Raises: UsageError, EnvironmentProblem where nothing could be started.
    """
    request = SearchRequest(graph=GraphFile.of(graph), **wanted)
    done = search_file(request, _store(store), stop or NeverStop(), wants_answers=False)
    return study(done.folder.path)


def _store(store: Where) -> Path:
    return home.shelf(os.fspath(store) if store is not None else None).folders[0]


def _done(folder: StudyFolder, progress: Progress, stop: Stop) -> Study:
    found = study(folder.path)
    found.resume(progress, stop)
    return found


def _request(kind: type[Asked], wanted: dict[str, Any]) -> Asked:
    """Raises: UsageError for an option that there is not, with the nearest."""
    names = [one.name for one in fields(kind)]
    for name in wanted:
        if name not in names:
            raise UsageError(
                f"there is no option {name} of this benchmark{or_nearest(name, names)}"
            )
    return kind(**wanted)
