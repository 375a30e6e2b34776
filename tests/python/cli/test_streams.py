# SPDX-License-Identifier: Apache-2.0
"""Standard streams that are closed, full, or read by nobody."""

import os
import shlex
import subprocess
import sys

import pytest

from cli.conftest import Checkout, Said

BLOCK = "SCALE:                          12\n"
RUN = "run --scale 12 --keys 4 --no-report"


def in_shell(script: str) -> Said:
    """``isobath`` in ``script`` is the command line in a process of its own."""
    command = f"{shlex.quote(sys.executable)} -m isobath"
    done = subprocess.run(
        ["bash", "-c", script.replace("isobath", command, 1)],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
        check=False,
    )
    return Said(done.returncode, done.stdout, done.stderr)


@pytest.mark.parametrize("stream", ["2>&-", "2>/dev/full"])
def test_notes_that_nobody_can_read_end_no_run(checkout: Checkout, stream: str) -> None:
    said = in_shell(f"isobath {RUN} {stream}")

    assert said == Said(0, BLOCK, "")
    (run,) = checkout.runs
    assert run.verify() == []


@pytest.mark.parametrize(
    ("stream", "reason"), [(">&-", "is closed"), (">/dev/full", "says: No space left on device")]
)
def test_a_block_that_cannot_be_printed_is_said_and_the_run_kept(
    checkout: Checkout, stream: str, reason: str
) -> None:
    said = in_shell(f"isobath {RUN} {stream}")

    assert said.code == 3
    (run,) = checkout.runs
    assert run.verify() == []
    assert f"the official block was not printed (standard output {reason})" in said.err
    assert f"{run.run_id}/official-reference.txt" in said.err
    assert "Exception" not in said.err


@pytest.mark.parametrize("command", ["plan --memory 10GB", "show last", "doctor --mpi", "--help"])
def test_output_that_cannot_be_written_is_said(checkout: Checkout, command: str) -> None:
    assert checkout.isobath(*RUN.split()).code == 0
    for stream, reason in ((">&-", "is closed"), (">/dev/full", "says: No space left on device")):
        said = in_shell(f"isobath {command} {stream}")

        assert said.code == 3
        assert f"the output cannot be written (standard output {reason})" in said.err
        assert "Traceback" not in said.err
        assert "Exception" not in said.err


@pytest.mark.parametrize("command", ["show last", "plan --memory 10GB", "export --scale 14 e.mtx"])
def test_a_reader_that_has_gone_ends_it_quietly(checkout: Checkout, command: str) -> None:
    assert checkout.isobath(*RUN.split()).code == 0
    command = command.replace("e.mtx", "--format mtx -")

    said = in_shell(f"{{ sleep 1; isobath {command}; echo $? >&2; }} | true")

    assert said.err.splitlines()[-1] == "141"
    assert [line for line in said.err.splitlines()[:-1] if "calibrating" not in line] == []


def test_a_run_whose_reader_has_gone_is_sealed(checkout: Checkout) -> None:
    said = in_shell(f"{{ isobath {RUN}; echo $? >&2; }} | true")

    assert said.err.splitlines()[-1] == "141"
    (run,) = checkout.runs
    assert run.verify() == []
    assert run.run_id in said.err
