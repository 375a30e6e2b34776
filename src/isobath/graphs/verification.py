# SPDX-License-Identifier: Apache-2.0
"""Somebody else's parents, levels or distances against the edges of a graph."""

import os
import subprocess
import tempfile
from pathlib import Path

from isobath.errors import EnvironmentProblem, ExitCode, IsobathError
from isobath.graphs.files import Claims
from isobath.graphs.request import GraphFile
from isobath.graphs.session import PROGRAM, engine_readable, line_of
from isobath.launch.installation import Installation
from isobath.launch.mpi_library import choose_library
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
        line = line_of(library, [*words, "--threads", str(layout.threads)], layout)
        done = subprocess.run(
            line.command,
            capture_output=True,
            env={**os.environ, **line.environment},
            check=False,
        )
    said = done.stdout.decode(errors="replace").strip()
    if said and done.returncode in (ExitCode.DONE, ExitCode.VIOLATIONS):
        return ExitCode(done.returncode), said
    raise problem_of(done.returncode, done.stderr.decode(errors="replace"), readable, graph)


def problem_of(code: int, text: str, readable: GraphFile, asked: GraphFile) -> IsobathError:
    """What the engine said, with the file that was asked for."""
    sentences = [line for line in text.splitlines() if line.startswith("isobath: ")]
    if not sentences:
        return EnvironmentProblem(f"{PROGRAM} ended with status {code} and said nothing of it")
    sentence = sentences[0].removeprefix("isobath: ").removeprefix("rank 0 of 1: ")
    problem = IsobathError(sentence.replace(str(readable.path.absolute()), str(asked.path)))
    known = {int(one) for one in ExitCode}
    problem.exit_code = ExitCode(code) if code in known else ExitCode.ENVIRONMENT
    return problem
