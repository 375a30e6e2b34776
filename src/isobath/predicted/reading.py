# SPDX-License-Identifier: Apache-2.0
"""From what a person types to predictions: the run, the costs of calls, the target, what ifs."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from isobath.comparison.measured import Cell
from isobath.costmodel.grid import Grid
from isobath.costmodel.switches import PLANS, Switches
from isobath.errors import UsageError
from isobath.predicted.forced import forced_algorithms
from isobath.predicted.platforms import is_network, network_named
from isobath.predicted.simulated import Simulated, read_simulated
from isobath.prediction.algorithms import known_name
from isobath.prediction.budget import ErrorBudget, error_budget, is_same
from isobath.prediction.calls import PATTERNS, Call, Group, Layout
from isobath.prediction.costs import Costs, Timed, fitted_costs
from isobath.prediction.instead import Instead, what_ifs
from isobath.prediction.network_file import NetworkFile
from isobath.prediction.observed import Observed, observed_run
from isobath.prediction.predicted import Prediction, Target, predict
from isobath.prediction.upcoming import FOLD_CALLS
from isobath.prediction.work_costs import WorkCosts, work_costs
from isobath.race.folders import RaceFolder
from isobath.race.results import read_results
from isobath.report.run_data import read_run
from isobath.settings.values import nearest, no_choice
from isobath.simulation.platform import PLATFORMS
from isobath.study.shelf import Shelf, StoredStudy

MOST_RANKS, LARGEST_SCALE = 1 << 20, 48


@dataclass(frozen=True)
class Asked:
    """What a person asked for; None is as in the run."""

    run: str
    ranks: int | None = None
    grid: str | None = None
    scale: int | None = None
    plan: str | None = None
    exchange: str | None = None
    ranks_per_node: int | None = None
    networks: tuple[str, ...] = ()
    """studies whose calls tell costs, and files"""
    instead: tuple[str, ...] = ()
    """files of networks to be tried instead"""
    measured: str | None = None
    """a run of what is predicted"""
    also: tuple[str, ...] = ()
    """other runs of the plan, whose computation is looked at, too"""
    simulated: str | None = None
    """a simulation of what is predicted"""


@dataclass(frozen=True)
class Answered:
    """A prediction with all that stands around it."""

    observed: Observed
    prediction: Prediction
    costs: Costs
    works: WorkCosts
    what_ifs: tuple[Instead, ...]
    measured: Observed | None
    budget: ErrorBudget | None
    problems: tuple[str, ...]
    is_altered: bool
    simulated: Simulated | None = None


def answer(where: Shelf, asked: Asked) -> Answered:
    """Raises: UsageError for what cannot be predicted; EnvironmentProblem where a study cannot be
    read.
    """
    problems: list[str] = []
    observed, doubt = read_observed(where, asked.run)
    problems += [doubt] if doubt else []
    costs = read_costs(where, asked.networks, observed)
    target = target_of(observed, asked)
    works = work_costs([observed, *_others(where, asked.also, observed, problems)])
    prediction = predict(observed, target, costs, works)
    others = [(file, fitted_costs((), file.name, file.costs, links=file.links)) for file in
              (network_named(name) for name in asked.instead)]  # fmt: skip
    measured = observed if is_same(prediction, observed) else None
    if asked.measured is not None:
        measured, other = read_observed(where, asked.measured)
        problems += [other] if other else []
    simulated = None
    if asked.simulated is not None:
        simulated, doubts = read_simulated(where, asked.simulated, target)
        problems += doubts
    budget = error_budget(prediction, measured, costs) if measured is not None else None
    return Answered(
        observed, prediction, costs, works,
        what_ifs(observed, prediction, costs, others, works), measured,
        budget, tuple(problems), bool(problems), simulated,
    )  # fmt: skip


def _others(
    where: Shelf, words: Sequence[str], observed: Observed, problems: list[str]
) -> Iterator[Observed]:
    """Runs whose computation is that of the run. Raises: UsageError for what is of another kind."""
    for word in words:
        other, doubt = read_observed(where, word)
        problems += [doubt] if doubt else []
        if (other.setting.switches, other.machine) != (observed.setting.switches, observed.machine):
            raise UsageError(
                f"--also {word}: {other.run_id} is of another plan, other switches, threads or "
                f"processors than {observed.run_id}; its computation says nothing of that one's"
            )
        yield other


def read_observed(where: Shelf, word: str) -> tuple[Observed, str]:
    """A run, and why it is not as it was sealed. Raises: as ``answer``."""
    study = where.find(word)
    if study.entry.name != "run":
        raise UsageError(
            f"{study.study_id} is a {study.entry.noun}; a prediction starts from a run, for "
            "example last:run"
        )
    return _observed(study)


def _observed(study: StoredStudy) -> tuple[Observed, str]:
    data = read_run(study.path)
    forced = forced_algorithms(data.environment, study.study_id)
    return observed_run(data.records, forced), data.doubt


def read_costs(
    where: Shelf, words: Sequence[str], observed: Observed | None, platforms: Sequence[str] = ()
) -> Costs:
    """Of studies and files that are named, else of the run's own calls.

    Args: platforms are words like the others, which were typed behind --platform.
    Raises: as ``answer``; refusals name the option that was typed.
    """
    typed = [("--network", word) for word in words] + [("--platform", word) for word in platforms]
    files = [(option, word) for option, word in typed if is_network(word)]
    if len(files) > 1:
        option, word = files[1]
        others = "try others with --instead" if observed is not None else "ask again for others"
        raise UsageError(f"{option} {word}: one file or platform tells costs; {others}")
    file: NetworkFile | None = network_named(files[0][1]) if files else None
    studies = [(option, _study_named(where, option, word)) for option, word in typed
               if (option, word) not in files]  # fmt: skip
    timed = [one for option, study in studies for one in _timed_of(option, study)]
    names = ", ".join(study.study_id for _, study in studies)
    if not typed and observed is not None:
        timed, names = list(observed.timed), observed.run_id
    if file is None:
        return fitted_costs(timed, names or "nothing")
    return fitted_costs(timed, names or file.name, file.costs, links=file.links)


def _study_named(where: Shelf, option: str, word: str) -> StoredStudy:
    """Raises: UsageError, which names a platform that is spelt almost so."""
    try:
        return where.find(word)
    except UsageError:
        if option == "--platform" or nearest(word, PLATFORMS):
            raise no_choice(option, word, PLATFORMS) from None
        raise


def _timed_of(option: str, study: StoredStudy) -> list[Timed]:
    if study.entry.name == "run":
        return list(_observed(study)[0].timed)
    if study.entry.name == "race":
        return list(_of_race(study.path))
    if study.entry.name == "bench collectives":
        kind = study.entry.load()
        return [timed for cell in kind.cells(kind.read(study.path)) for timed in _of_cell(cell)]
    raise UsageError(
        f"{option} {study.study_id}: a {study.entry.noun} tells no cost of calls; name a "
        "benchmark of collectives, a run, a race or a file that ends in .toml"
    )


def _of_race(path: Path) -> Iterator[Timed]:
    for result in read_results(RaceFolder(path)).cells:
        for records in result.runs:
            try:
                yield from observed_run(records).timed
            except UsageError:
                continue  # of another kernel, or cut off


def _of_cell(cell: Cell) -> Iterator[Timed]:
    name = str(cell.identity.get("collective", ""))
    form = cell.identity.get("form", "blocking")
    said = str(cell.identity.get("forced") or "")
    forced = known_name(name, said) if said else ""
    if name not in PATTERNS or form != "blocking" or cell.value is None or "p" not in cell.numbers:
        return
    if said and not forced:
        return  # of an algorithm that there is no formula of
    numbers = cell.numbers
    size = round(numbers["p"])
    group = Group(size, round(numbers.get("nodes", 1)), round(numbers.get("ppn", size)))
    sent = numbers.get("m", 0.0) * (size - 1)
    if size > 1:
        call = Call(0, "fold", name, group, 1, size - 1, sent, forced)
        yield Timed(call, cell.value)


def target_of(observed: Observed, asked: Asked) -> Target:
    """Raises: UsageError for grids that are none, and what a plan cannot."""
    own = observed.setting.switches
    switches = own
    if asked.plan is not None and asked.plan != own.plan:
        if asked.plan not in PLANS:
            raise no_choice("--plan", asked.plan, PLANS)
        raise UsageError(
            f"--plan {asked.plan}: {observed.run_id} is of {own.plan}, whose computation says "
            f"nothing of another plan's; name a run of {asked.plan}"
        )
    if asked.exchange is not None:
        switches = _with_exchange(own, asked.exchange)
    scale = asked.scale if asked.scale is not None else observed.setting.scale
    if not 1 <= scale <= LARGEST_SCALE:
        raise UsageError(f"--scale {scale} is no scale; take 1 to {LARGEST_SCALE}")
    grid = _grid(observed, asked, switches)
    if (1 << scale) < grid.size:
        raise UsageError(f"scale {scale} has fewer vertices than {grid.size} ranks")
    per_node = asked.ranks_per_node or observed.layout.per_node
    if grid == observed.layout.grid and per_node == observed.layout.per_node:
        return Target(scale, switches, observed.layout, forced=observed.forced)
    return Target(scale, switches, Layout.even(grid, per_node), forced=observed.forced)


def _with_exchange(switches: Switches, exchange: str) -> Switches:
    if exchange not in FOLD_CALLS:
        raise no_choice("--exchange", exchange, FOLD_CALLS)
    if switches.is_replicated:
        raise UsageError(f"--exchange {exchange}: {switches.plan} exchanges nothing")
    return replace(switches, exchange=exchange)


def _grid(observed: Observed, asked: Asked, switches: Switches) -> Grid:
    ranks = asked.ranks
    if asked.grid is not None:
        grid = Grid.typed(asked.grid)
        if ranks is not None and grid.size != ranks:
            raise UsageError(f"--grid {grid} has {grid.size} ranks, not {ranks}")
        switches.check_grid(grid)
    elif ranks is not None:
        if ranks < 1:
            raise UsageError(f"--ranks {ranks}: at least one rank searches")
        _check_ranks(ranks)  # before the search for a rectangle, which takes its time
        grid = switches.grid_of(ranks)
    else:
        grid = observed.layout.grid
    _check_ranks(grid.size)
    return grid


def _check_ranks(ranks: int) -> None:
    if ranks > MOST_RANKS:
        raise UsageError(f"{ranks:,} ranks are more than {MOST_RANKS:,}, the most predicted")
