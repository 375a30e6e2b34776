# SPDX-License-Identifier: Apache-2.0
"""What the race ran on and with: machines, MPI libraries, builds, settings that cells share."""

import shlex
from collections.abc import Mapping

from isobath.report.race_data import RaceData
from isobath.report.wording import count_of, listing
from isobath.units import format_bytes
from isobath.view.content import (
    Block,
    Fact,
    Facts,
    Preformatted,
    Section,
    Table,
    columns,
    nothing,
)

TITLE = "Environment"


def render(race: RaceData) -> Section:
    """Machines, libraries and builds, each once, then the factors and the shared settings."""
    if not race.done:
        return nothing("environment", TITLE, "No run of this race says where it ran.")
    runs = [run.records.run for cell in race.done for run in cell.runs]
    hosts = {host.hostname: host for run in runs for host in run.hosts}
    machines = tuple(
        (
            host.hostname,
            host.cpu_model,
            str(host.cores),
            format_bytes(host.memory_bytes) if host.memory_bytes is not None else "",
            host.kernel or "",
        )
        for host in hosts.values()
    )
    builds = sorted(
        {
            (
                run.version,
                f"{run.build.commit[:12]}{', changed' if run.build.dirty else ''}",
                run.build.compiler,
                run.build.flags,
                run.instruction_set,
            )
            for run in runs
        }
    )
    libraries = sorted({(run.mpi.name, run.mpi.standard_version) for run in runs})
    blocks: list[Block] = [
        Table(
            "Machines",
            columns("name", "processor", "#cores", "#memory", "kernel"),
            machines,
        ),
        Table("MPI libraries", columns("library", "MPI standard"), tuple(libraries)),
        Table(
            "Builds",
            columns("version", "commit", "compiler", "flags", "instruction set"),
            tuple(builds),
        ),
        Facts(
            tuple(
                Fact(name.replace("_", " "), listing(values))
                for name, values in race.factors.items()
            ),
            title="Factors",
            style="pairs",
        ),
    ]
    if race.base:
        blocks.append(
            Facts(
                tuple(Fact(name.replace("_", " "), value) for name, value in race.base.items()),
                title="Settings that all cells share",
                style="pairs",
            )
        )
    if race.command:
        blocks.append(Preformatted("Command", shlex.join(race.command), wrapped=True))
    return Section("environment", TITLE, tuple(blocks), lead=caption(race, hosts), measured=False)


def caption(race: RaceData, hosts: Mapping[str, object]) -> str:
    """One sentence: how many machines, libraries and settings."""
    libraries = {run.records.run.mpi.name for cell in race.done for run in cell.runs}
    return (
        f"{count_of(len(hosts), 'machine')}, {listing(sorted(libraries))}, "
        f"{count_of(len(race.factors), 'factor')} varied."
    )
