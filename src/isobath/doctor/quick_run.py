# SPDX-License-Identifier: Apache-2.0
"""The tiny validated search that proves the chain from launcher to validation."""

import secrets
import tempfile
from pathlib import Path

from isobath.doctor.finding import Finding
from isobath.errors import ExitCode, IsobathError
from isobath.launch.engine_run import Files, run_engine
from isobath.launch.interrupts import Interrupts
from isobath.launch.launcher import launch_line
from isobath.launch.limits import NOTHING_ASKED, Asked, of_doctor
from isobath.launch.mpi_library import MpiLibrary
from isobath.records.codec import read_records
from isobath.records.run_records import RunRecords

SCALE = 10
RANKS = 2
KEYS = 4


def quick_run(mpi: MpiLibrary, cpus: int, asked: Asked = NOTHING_ASKED) -> Finding:
    """Two ranks search a graph of scale 10 from four keys, every result validated."""
    name = f"quick run with {mpi.id}"
    try:
        run = _run(mpi, cpus, asked)
    except IsobathError as error:
        remedy = "./isobath doctor --libraries lists the MPI libraries"
        return Finding(
            name, "bad", str(error), remedy, timed_out=error.exit_code == ExitCode.TIMEOUT
        )
    searches = len(run.timed_searches)
    if run.verdict != "validated":
        return Finding(name, "bad", f"{searches} searches, {run.verdict}", "please report this")
    return Finding(name, "good", f"{searches} searches on {run.run.ranks} ranks, all validated")


def _run(mpi: MpiLibrary, cpus: int, asked: Asked) -> RunRecords:
    with tempfile.TemporaryDirectory(prefix="isobath-doctor-") as text:
        folder = Path(text)
        files = Files(
            records=folder / "records.jsonl",
            stdout=folder / "stdout.txt",
            stderr=folder / "stderr.txt",
            heartbeat=folder / "heartbeat.bin",
        )
        run_id = f"doctor-{secrets.token_hex(4)}"
        arguments = ["--scale", str(SCALE), "--keys", str(KEYS), "--grid", f"1x{RANKS}"]
        arguments += ["--threads", "1", "--run-id", run_id, "--record", str(files.records)]
        arguments += ["--heartbeat", str(files.heartbeat)]
        arguments += ["--official-reference", str(folder / "official-reference.txt")]
        arguments += ["--official-spec", str(folder / "official-spec.txt")]
        line = launch_line(
            mpi, mpi.program("isobath-graph500"), arguments, ranks=RANKS, threads=1, cpus=cpus
        )
        with Interrupts() as interrupts:
            outcome = run_engine(
                line,
                files,
                ranks=RANKS,
                run_id=run_id,
                limits=of_doctor(asked),
                watch=lambda _: None,
                interrupts=interrupts,
            )
        if outcome.interrupted:
            raise KeyboardInterrupt
        if outcome.trouble:
            problem = IsobathError(outcome.trouble.message)
            problem.exit_code = outcome.trouble.exit_code
            raise problem
        return RunRecords.of(read_records(files.records))
