# SPDX-License-Identifier: Apache-2.0
"""isobath calibrate network: what messages cost here, as a platform for simulations."""

import json
from pathlib import Path
from typing import Annotated

import typer

from isobath.cli import completion
from isobath.cli.limit_options import HangSeconds, TimeLimit
from isobath.cli.places import front_door, shown
from isobath.cli.terminal import console, say
from isobath.errors import ExitCode
from isobath.launch.interrupts import Interrupts
from isobath.launch.limits import Asked

Transport = Annotated[
    str | None,
    typer.Option(
        metavar="WORDS",
        help="Two nodes to measure between, for example rate-limited:1gbit:2nodes "
        "(default: within a node alone).",
    ),
]
Output = Annotated[
    Path, typer.Option("--output", "-o", metavar="FILE.toml", help="File of the platform to write.")
]
Largest = Annotated[int, typer.Option(metavar="BYTES", help="Bytes of the largest message.")]
Passes = Annotated[
    int, typer.Option(metavar="N", help="How often every size is measured; medians count.")
]
Apart = Annotated[
    bool,
    typer.Option(
        "--apart",
        help="Measure between nodes of one rank each, and nothing within a node.",
    ),
]
Mpi = Annotated[
    str | None,
    typer.Option(
        metavar="NAME", autocompletion=completion.mpi_libraries, help="MPI library to measure."
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")]


def network(
    *,
    transport: Transport = None,
    output: Output = Path("network.toml"),
    largest: Largest = 1 << 20,
    passes: Passes = 20,
    apart: Apart = False,
    mpi: Mpi = None,
    hang_seconds: HangSeconds = None,
    time_limit: TimeLimit = None,
    json_output: AsJson = False,
) -> int:
    """Measure what messages cost, within a node and between two, as a platform for `simulate`.

    Ping-pong and message rate by size, fitted in segments, written as a platform that SimGrid
    simulates. Simulated again it must give the measured curves back: median errors up to 5 %.

    Begin with: ./isobath calibrate network --transport rate-limited:1gbit:2nodes
    """
    from isobath.kinds.simulate.calibrating import Wanted, calibrate, check_output, write_platform
    from isobath.kinds.simulate.calibration_sections import facts_of, holds, sections_of
    from isobath.view.terminal import printed

    output = output.expanduser()
    check_output(output)
    asked = Asked(hang_seconds, time_limit)
    wanted = Wanted(transport, largest, passes, mpi, output.stem, apart, asked)
    with Interrupts() as interrupts:
        calibrated = calibrate(wanted, interrupts, say)
    write_platform(calibrated, output)
    if json_output:
        print(json.dumps(facts_of(calibrated), indent=1))
    else:
        out = console()
        for part in printed(list(sections_of(calibrated)), out.width, whole=False, notices=()):
            out.print(part, soft_wrap=bool(part.no_wrap))
    say(f"wrote {shown(output)}")
    say(f"next: {front_door()} simulate last:run --platform {shown(output)}")
    return int(ExitCode.DONE if holds(calibrated) else ExitCode.INCONCLUSIVE)
