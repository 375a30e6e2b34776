# SPDX-License-Identifier: Apache-2.0
"""A search that no ranks ran, walked by isobath-audit for what each rank would send."""

import json
from collections.abc import Iterable, Iterator

from pydantic import BaseModel, ConfigDict, ValidationError

from isobath.errors import ExitCode, InternalError, UsageError
from isobath.kinds.race.walk import LARGEST_WALK, PROGRAM, lines_of, walked, why
from isobath.launch.installation import Installation
from isobath.launch.limits import NOTHING_ASKED, of_walk
from isobath.launch.mpi_library import choose_library
from isobath.records.phases import PhaseName
from isobath.simulation.from_volumes import EDGEFACTOR, Wanted, check_ranks, refuse
from isobath.simulation.from_walk import WalkedStep, refusals_of_walk, schedule_of_walk
from isobath.simulation.schedule import Schedule

ALONE = "has no neighbour"
"""So isobath-audit says of a vertex from which no search starts."""


class _Line(BaseModel):
    """A line of isobath-audit."""

    model_config = ConfigDict(frozen=True, extra="ignore", strict=True)

    level: int
    phase: PhaseName
    bytes_of_rank: tuple[int, ...]


def walked_schedule(wanted: Wanted, root: int) -> Schedule:
    """Raises: UsageError for what cannot be walked, a vertex without neighbours among it;
    EnvironmentProblem where the program is not built or fails.
    """
    check_ranks(wanted.grid)
    refuse(refusals_of_root(wanted, root))
    program = choose_library(Installation.here(), None).program(PROGRAM)
    search = json.dumps({"search": 0, "root": root, "directions": []}) + "\n"
    limits = of_walk(NOTHING_ASKED, EDGEFACTOR << wanted.scale, 1)
    done = walked(program, words_of(wanted), search, limits)
    if done.returncode == ExitCode.USAGE and ALONE in why(done):
        raise UsageError(
            f"--root {root} {ALONE}, so no search starts there; ./isobath keys --scale "
            f"{wanted.scale} prints vertices that have some"
        )
    return schedule_of_walk(wanted, root, walked_steps(lines_of(done)))


def refusals_of_root(wanted: Wanted, root: int) -> Iterator[str]:
    """Each reason why no search is walked from there, in a sentence with what to do; of what the
    graph alone tells, none.
    """
    yield from refusals_of_walk(wanted)
    if wanted.scale > LARGEST_WALK:
        yield (
            f"--root: scale {wanted.scale} is walked nowhere, {LARGEST_WALK} is the largest; leave "
            "--root out for closed forms"
        )
    elif wanted.scale > 0 and root >= 1 << wanted.scale:
        yield (
            f"--root {root} is no vertex of scale {wanted.scale}: those are 0 to "
            f"{(1 << wanted.scale) - 1}; ./isobath keys --scale {wanted.scale} prints some"
        )


def words_of(wanted: Wanted) -> list[str]:
    """Of isobath-audit; what is not said is the plan's default there, too."""
    switches = wanted.switches
    words = ["--scale", str(wanted.scale), "--edgefactor", str(EDGEFACTOR)]
    words += ["--plan", switches.plan, "--grid", str(wanted.grid)]
    return [*words, "--exchange", switches.exchange]


def walked_steps(lines: Iterable[str]) -> list[WalkedStep]:
    """What isobath-audit printed. Raises: InternalError for a line that it does not print."""
    steps = []
    for text in lines:
        try:
            line = _Line.model_validate_json(text)
        except ValidationError as error:
            raise InternalError(f"{PROGRAM} printed what nobody reads: {text!r}") from error
        steps.append(WalkedStep(line.level, line.phase, line.bytes_of_rank))
    return steps
