# SPDX-License-Identifier: Apache-2.0
"""Every exit code that the reference documents for a run, produced by a run of the real engine."""

import os
import re
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from system.laboratory import Laboratory
from system.running import Running, searching

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "reference" / "exit-codes.md"
OTHER_COMMANDS = "used by the command only"
"""What the document says of codes that no run ends with."""

Ending = tuple[int, str]
"""Exit code, and what was said on standard error."""


def done(lab: Laboratory) -> Ending:
    ended = lab.isobath("run", "--no-report", "--scale", 10, "--threads", 1, "--keys", 2)
    return ended.code, ended.err


def violations(lab: Laboratory) -> Ending:
    """The edge list is overwritten under a run without a copy: its trees have no edges any more."""
    running = Running(lab, "--edges", "file", "--validation-copy", "off", ranks=1)
    (rank,) = running.wait_until(searching)
    (edges,) = [
        link for link in Path(f"/proc/{rank.pid}/fd").iterdir() if "/edges.0" in os.readlink(link)
    ]
    with edges.open("r+b") as file:
        file.write(bytes(os.fstat(file.fileno()).st_size))
    running.wait_until(lambda states: states[0].search >= rank.search + 3)
    running.process.send_signal(signal.SIGTERM)
    code, err, run = running.end(within=60)
    assert run.verify() == []
    assert run.records().verdict == "violations"
    return code, err


def wrong_use(lab: Laboratory) -> Ending:
    ended = lab.isobath("run", "--scale", 10, "--grid", "2x3", "--ranks", 4)
    return ended.code, ended.err


def environment(lab: Laboratory) -> Ending:
    ended = lab.isobath("run", "--scale", 10, "--threads", 1, "--store", "/proc/runs")
    return ended.code, ended.err


def defect(lab: Laboratory) -> Ending:
    running = Running(lab)
    victim = running.wait_until(searching)[1]
    os.kill(victim.pid, signal.SIGSEGV)
    code, err, run = running.end(within=30)
    assert run.is_sealed
    return code, err


def hang(lab: Laboratory) -> Ending:
    """Generating this many edges takes longer than the run may go without a sign of progress.

    The run ends after a second or two of it: only the memory of what was generated is used.
    """
    running = Running(lab, "--scale", 26, "--force", "--hang-seconds", 1, ranks=1)
    code, err, run = running.end(within=120)
    assert run.is_sealed
    assert run.summary().state == "failed"
    return code, err


def refused(lab: Laboratory) -> Ending:
    ended = lab.isobath("run", "--scale", 43)
    return ended.code, ended.err


def nobody_reads(lab: Laboratory) -> Ending:
    reader, writer = os.pipe()
    os.close(reader)
    ended = subprocess.run(
        lab.command("run", "--no-report", "--scale", 10, "--threads", 1, "--keys", 2),
        stdout=writer,
        stderr=subprocess.PIPE,
        text=True,
        env=lab.environment(),
        check=False,
    )
    os.close(writer)
    assert lab.runs[-1].verify() == []
    return ended.returncode, ended.stderr


ENDINGS: dict[int, tuple[Callable[[Laboratory], Ending], str]] = {
    0: (done, "All 2 searches passed every rule"),
    1: (violations, "validation found violations: rule "),
    2: (wrong_use, "needs 6 ranks"),
    3: (environment, "--store"),
    4: (defect, "rank 1 was killed by SIGSEGV in phase"),
    7: (hang, "no rank made progress for"),
    8: (refused, "the largest scale that fits is"),
    141: (nobody_reads, "All 2 searches passed every rule"),
}


def test_no_documented_code_is_left_out() -> None:
    rows = re.findall(r"^\| (\d+) \|(.*)$", DOCUMENT.read_text(encoding="utf-8"), re.MULTILINE)

    assert {int(code) for code, says in rows if OTHER_COMMANDS not in says} == set(ENDINGS)


@pytest.mark.parametrize("code", ENDINGS)
def test_a_run_ends_with_the_documented_code(lab: Laboratory, code: int) -> None:
    end, words = ENDINGS[code]

    ended, said = end(lab)

    assert ended == code, said
    assert words in said, said
