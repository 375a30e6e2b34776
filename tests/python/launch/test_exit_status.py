# SPDX-License-Identifier: Apache-2.0
"""What is said of the end of a launcher: who was killed, and what is no signal."""

from pathlib import Path

import pytest

from isobath.errors import ExitCode
from isobath.launch import exit_status
from isobath.launch.exit_status import Said, trouble_of
from isobath.launch.heartbeat import RankState
from isobath.launch.supervised import Ended
from isobath.launch.watchdog import Trouble

RANKS = [RankState(rank=n, pid=77 + n, search=3, phase="fold") for n in range(2)]

BANNER = f"""
{"=" * 83}
=   BAD TERMINATION OF ONE OF YOUR APPLICATION PROCESSES
=   PID 78 RUNNING AT here
=   EXIT CODE: 9
=   CLEANING UP REMAINING PROCESSES
=   YOU CAN IGNORE THE BELOW CLEANUP MESSAGES
{"=" * 83}
YOUR APPLICATION TERMINATED WITH THE EXIT STRING: Killed (signal 9)
This typically refers to a problem with your application.
Please see the FAQ page for debugging suggestions
"""

INTEL_BANNER = f"""
{"=" * 83}
=   BAD TERMINATION OF ONE OF YOUR APPLICATION PROCESSES
=   RANK 1 PID 78 RUNNING AT here
=   KILLED BY SIGNAL: 9 (Killed)
{"=" * 83}
"""

A_PROXY_IS_GONE = """\
[mpiexec@vm] control_cb (/mpich/hydra/mpiexec/pmiserv_cb.c:280): assert (!closed) failed
[mpiexec@vm] main (/mpich/hydra/mpiexec/mpiexec.c:270): process manager error waiting for completion
"""


def said(folder: Path, err: str = "", out: str = "") -> Said:
    found = Said(folder / "stdout.txt", folder / "stderr.txt")
    found.stdout.write_text(out, encoding="utf-8")
    found.stderr.write_text(err, encoding="utf-8")
    return found


def ended(status: int) -> Ended:
    return Ended(1.0, status, ranks=RANKS, phase="fold")


def of(folder: Path, status: int, err: str = "", out: str = "") -> Trouble:
    found = trouble_of(ended(status), "mpiexec", said(folder, err, out))
    assert found is not None
    return found


def test_an_end_with_0_is_none(tmp_path: Path) -> None:
    assert trouble_of(ended(0), "mpiexec", said(tmp_path, "isobath: a note")) is None


def test_a_killed_launcher_is_no_killed_rank(tmp_path: Path) -> None:
    found = of(tmp_path, -9)

    assert found.message.startswith("the launcher mpiexec was killed by SIGKILL in phase fold")
    assert (found.rank, found.signal, found.phase) == (None, 9, "fold")
    assert found.exit_code == ExitCode.ENVIRONMENT


def test_a_lost_proxy_is_told_and_is_no_signal(tmp_path: Path) -> None:
    found = of(tmp_path, 255, A_PROXY_IS_GONE)

    assert "it lost a process of its own, hydra_pmi_proxy" in found.message
    assert (found.rank, found.signal, found.phase) == (None, None, "fold")


def test_a_program_that_is_not_there_is_no_lost_proxy(tmp_path: Path) -> None:
    line = "[proxy:0@vm] HYDU_create_process (launch.c:73): execvp error on file ./no (No such)"
    found = of(tmp_path, 255, line)
    assert "execvp error on file ./no" in found.message
    assert "hydra_pmi_proxy" not in found.message


def test_a_killed_rank_comes_before_what_others_noticed(tmp_path: Path) -> None:
    found = of(tmp_path, 3, "isobath: rank 0 of 2: MPI_Recv failed\n", BANNER)

    assert found.message.startswith("rank 1 was killed by SIGKILL in phase fold")
    assert (found.rank, found.signal) == (1, 9)


@pytest.mark.parametrize("status", [255, 193, 42])
def test_what_is_no_signal_is_not_told_as_one(tmp_path: Path, status: int) -> None:
    found = of(tmp_path, status)
    assert found.message.startswith(f"mpiexec ended with status {status}: it said nothing; see ")
    assert found.signal is None


def test_shells_and_launchers_add_128_to_a_signal(tmp_path: Path) -> None:
    found = of(tmp_path, 128 + 15)
    assert found.signal == 15
    assert "SIGTERM" in found.message


def test_a_full_disk_that_took_the_reason_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exit_status, "is_full", lambda folder: folder == tmp_path)
    found = of(tmp_path, 255)
    assert f"the disk of {tmp_path} is full" in found.message
    assert found.exit_code == ExitCode.ENVIRONMENT


@pytest.mark.parametrize("banner", [BANNER, INTEL_BANNER])
def test_a_launcher_s_banner_leaves_standard_output(tmp_path: Path, banner: str) -> None:
    block = "SCALE:                          12\nedgefactor:                     16\n"
    files = said(tmp_path, "isobath: rank 0 of 2: MPI_Recv failed\n", block + banner)

    files.separate()

    assert files.stdout.read_text(encoding="utf-8") == block
    assert files.stderr.read_text(encoding="utf-8").endswith(banner)


def test_standard_output_without_a_banner_is_left_alone(tmp_path: Path) -> None:
    text = "=====\n= a table of the program =\n=====\n"
    files = said(tmp_path, "", text)
    files.separate()
    assert files.stdout.read_text(encoding="utf-8") == text
    assert files.stderr.read_text(encoding="utf-8") == ""
