# SPDX-License-Identifier: Apache-2.0
"""isobath simulate: a search on nodes that are not here."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from isobath.cli.beside_settings import HOW, AsJson, DryRun
from isobath.cli.declared import Given, takes_settings
from isobath.cli.places import front_door, shown
from isobath.cli.planned import print_dry_run
from isobath.cli.studies import Ending, choose_view, try_report, typed_study
from isobath.cli.terminal import fitted, say, warn
from isobath.disclosure.words import typed_command
from isobath.errors import UsageError
from isobath.kinds.settings_of import written_settings
from isobath.kinds.simulate.settings import SIMULATE, SimulateSettings
from isobath.launch.interrupts import Interrupts
from isobath.launch.limits import Asked
from isobath.study.driver import Driver
from isobath.study.home import shelf
from isobath.study.kinds import entry_of
from isobath.units import format_count

View = Annotated[
    str | None,
    typer.Option(metavar="VIEW", help="What to print; see show --views.", rich_help_panel=HOW),
]
Goal = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="Write the calls into FILE as LogGOPSim reads them (GOAL), and simulate nothing.",
        rich_help_panel=HOW,
    ),
]


@takes_settings(SIMULATE)
def simulate(
    *,
    given: Given,
    view: View = None,
    dry_run: DryRun = False,
    json_output: AsJson = False,
    goal: Goal = None,
) -> int:
    """Simulate a search on a platform, by its calls with their counts: that of a run, or a plan.

    Every time is SIMULATED, by SimGrid (apt-get install libsimgrid-dev). Nothing is
    searched, unless with --engine.

    Begin with: ./isobath simulate --plan two-dim --grid 4x8 --scale 26 --nodes 16
    """
    from isobath.kinds.simulate.session import simulate_search  # scipy, which help does not need

    merged = given.merged()
    settings = SimulateSettings(**merged.values)
    entry = entry_of("simulate")
    kind = entry.load()
    choose_view(kind, view)
    if goal is not None:
        if dry_run or json_output:
            raise UsageError(
                "--goal writes a file and nothing else; leave --dry-run and --json out"
            )
        return _write_goal(settings, goal)
    if dry_run:
        return _show_plan(settings, merged.values, as_json=json_output)
    asked = Asked(settings.hang_seconds, settings.time_limit)
    ending = Ending(json_output, settings.report, settings.reports, view)
    with Interrupts() as interrupts:
        simulated = simulate_search(
            settings, shelf(settings.store), merged.origins, typed_command(), interrupts,
            Driver(asked, say),
        )  # fmt: skip
    folder = simulated.folder
    if simulated.message:
        warn(simulated.message)
        say(f"kept {shown(folder.path)}")
        return int(simulated.code)
    simulation = kind.read(folder.path)
    ending.show(kind, folder.path, simulation)
    codes = {int(kind.code(simulation))}
    if settings.report:
        codes.add(int(try_report(kind, folder.path, ending, simulation)))
    say(f"simulated; {shown(folder.path)}")
    say(f"next: {front_door()} show {typed_study(folder.path)} --view levels")
    return max(codes)


def _write_goal(settings: SimulateSettings, path: Path) -> int:
    """``--goal``: what would be simulated, for another simulator. Needs no SimGrid."""
    from isobath.kinds.simulate.goal_file import write_search

    written = write_search(settings, shelf(settings.store), path)
    for note in written.notes:
        say(note)
    words = f"{format_count(written.messages)} messages of {written.ranks} ranks"
    say(f"wrote {words}, {shown(path)}")
    return 0


def _show_plan(settings: SimulateSettings, kept: Mapping[str, Any], *, as_json: bool) -> int:
    """``--dry-run``: what would be simulated, and what that costs."""
    from isobath.kinds.simulate.session import cost_words, planned_line

    planned = planned_line(settings, shelf(settings.store))
    words = cost_words(planned.prepared)
    folder = planned.paths.sealed_path
    if as_json:
        launch: dict[str, Any] = {"name": planned.paths.run_id, "words": words}
        if planned.line is None:
            launch["missing"] = planned.missing
        else:
            launch["command"] = list(planned.line.command)
        return print_dry_run("simulate", written_settings(SIMULATE, kept), [launch], folder)
    for told in (words, *planned.prepared.schedule.notes):
        print(fitted(told))
    print(fitted(f"folder of the simulation: {shown(folder)}"))
    if planned.line is None:
        print(fitted(f"cannot be started here: {planned.missing}"))
    else:
        print(f"launch line: {planned.line.text()}")
    return 0
