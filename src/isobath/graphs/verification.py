# SPDX-License-Identifier: Apache-2.0
"""Somebody else's parents, levels or distances against the edges of a graph."""

import tempfile
from pathlib import Path

from isobath.errors import EnvironmentProblem, ExitCode, IsobathError
from isobath.graphs.design import GraphFile
from isobath.graphs.files import Claims
from isobath.graphs.session import PROGRAM, engine_readable, line_of
from isobath.launch.heartbeat import Heartbeat
from isobath.launch.installation import Installation
from isobath.launch.interrupts import Interrupts
from isobath.launch.launcher import LaunchLine
from isobath.launch.limits import NOTHING_ASKED, Asked, Limits, of_search
from isobath.launch.mpi_library import choose_library
from isobath.launch.processes import mentions
from isobath.launch.supervised import Launch, OnInterrupt, supervise
from isobath.machine.facts import read_machine
from isobath.plan.layout import choose_layout


def verify_claims(
    graph: GraphFile,
    kind: str,
    claims: Claims,
    root: int,
    *,
    tolerance: float = 0.0,
    mpi: str | None = None,
    asked: Asked = NOTHING_ASKED,
) -> tuple[ExitCode, str]:
    """Exit code (0 or 1) and the verdict in a sentence, with the first rule that is broken.

    Raises: IsobathError with the sentence of the engine where it could not tell.
    """
    library = choose_library(Installation.here(), mpi)
    layout = choose_layout(read_machine(), ranks=1)
    with (
        engine_readable(graph) as readable,
        tempfile.TemporaryDirectory(prefix="isobath-claims-") as folder,
    ):
        file = Path(folder) / "claims"
        claims.write(file)
        words = [*readable.arguments(), "--root", str(root), f"--claimed-{kind}", str(file)]
        if tolerance:
            words += ["--tolerance", repr(tolerance)]
        words += ["--heartbeat", str(_heartbeat(Path(folder)))]
        line = line_of(library, [*words, "--threads", str(layout.threads)], layout)
        size = readable.path.stat().st_size
        status, said, complaint = _run(line, Path(folder), of_search(asked, size))
    if said and status in (ExitCode.DONE, ExitCode.VIOLATIONS):
        return ExitCode(status), said
    raise problem_of(status, complaint, readable, graph)


def _run(line: LaunchLine, folder: Path, limits: Limits) -> tuple[int, str, str]:
    """Exit status, standard output and standard error.

    Raises: IsobathError where a limit ended it; KeyboardInterrupt where a person did.
    """
    heartbeat = Heartbeat.create(_heartbeat(folder), 1)
    out, err = folder / "stdout", folder / "stderr"
    with Interrupts() as interrupts:
        launch = Launch(
            line,
            limits,
            interrupts,
            OnInterrupt.END,
            has_heartbeat=True,
            stdout=out,
            stderr=err,
            ranks=1,
            owns=lambda pid: mentions(pid, str(heartbeat.path)),
        )
        ended = supervise(launch, lambda _: heartbeat, lambda _: False)
    if ended.interrupted:
        raise KeyboardInterrupt
    if ended.trouble is not None:
        problem = IsobathError(ended.trouble.message)
        problem.exit_code = ended.trouble.exit_code
        raise problem
    texts = (path.read_text(encoding="utf-8", errors="replace") for path in (out, err))
    said, complaint = texts
    return ended.status or 0, said.strip(), complaint


def _heartbeat(folder: Path) -> Path:
    return folder / "heartbeat.bin"


def problem_of(code: int, text: str, readable: GraphFile, asked: GraphFile) -> IsobathError:
    """What the engine said, with the file that was asked for."""
    sentences = [line for line in text.splitlines() if line.startswith("isobath: ")]
    if not sentences:
        return EnvironmentProblem(f"{PROGRAM} ended with status {code} and said nothing of it")
    sentence = sentences[0].removeprefix("isobath: ").removeprefix("rank 0 of 1: ")
    problem = IsobathError(sentence.replace(str(readable.path.absolute()), str(asked.path)))
    known = {int(exit_code) for exit_code in ExitCode}
    problem.exit_code = ExitCode(code) if code in known else ExitCode.ENVIRONMENT
    return problem
