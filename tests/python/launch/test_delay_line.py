# SPDX-License-Identifier: Apache-2.0
"""isobath-delay as the laboratory starts and ends it, with a program that only speaks as it does.

tests/system/test_delay_line.py has the program itself.
"""

import json
import sys
from pathlib import Path

import pytest

import fake_mpi
from isobath.errors import EnvironmentProblem
from isobath.launch.delay_line import PROGRAM, DelayLine, Latency, delay_program
from isobath.launch.installation import Installation

READY = '{"ready": true, "priority": "real-time"}'
AT_THE_END = {
    "passed": 12,
    "lost_waiting": 2,
    "lost_at_interfaces": 1,
    "processor_seconds": 0.25,
    "late_us": {"median": 11, "p99": 40, "most": 90},
}
WAITS = f"print('{READY}', flush=True); sys.stdin.read(); print('{json.dumps(AT_THE_END)}')"


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A set-up checkout; returns the folder of its programs."""
    monkeypatch.setenv("ISOBATH_PREFIX", str(fake_mpi.install(tmp_path)))
    return tmp_path / "build" / "fake" / "bin"


def line_of(programs: Path, words: str, latency: Latency) -> DelayLine:
    """The line, its program being these words of Python."""
    path = programs / PROGRAM
    path.write_text(f"#!{sys.executable}\nimport os, sys\n{words}\n", encoding="utf-8")
    path.chmod(0o755)
    return DelayLine(["env"], ["port0", "port1"], latency)


def test_what_became_of_the_frames_is_known_at_the_end(checkout: Path) -> None:
    latency = Latency(PROGRAM, 2000)
    line = line_of(checkout, WAITS, latency)
    assert latency.facts() == {"by": PROGRAM, "microseconds": 2000, "priority": "real-time"}

    line.close()

    assert latency.facts() == {
        "by": PROGRAM,
        "microseconds": 2000,
        "priority": "real-time",
        "passed_frames": 12,
        "lost_frames": 3,
        "processor_seconds": 0.25,
        "late_us": {"median": 11, "p99": 40, "most": 90},
        "ended_early": False,
    }
    assert latency.note() == (
        "latency of 2000 us between nodes by isobath-delay: this kernel has no netem, and it takes "
        "processor time from the ranks (0.25 s); frames went on 11 us late (median); LOST 3 "
        "frames, which TCP sent again"
    )


def test_it_is_told_the_latency_its_limit_and_where_it_stands(checkout: Path) -> None:
    file = checkout / "arguments"
    line_of(checkout, f"open('{file}', 'w').write(' '.join(sys.argv[1:]))\n{WAITS}",
            Latency(PROGRAM, 200)).close()  # fmt: skip

    assert file.read_text() == "--latency-us 200 --limit 100000 port0 port1"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("sys.exit('isobath-delay: no packet socket')", "isobath-delay: no packet socket"),
        ("pass", "it said nothing"),
        ("print('[]')", "it said nothing"),
        ("print('hello')", "it said nothing"),
    ],
)
def test_what_does_not_begin_is_one_sentence(checkout: Path, words: str, said: str) -> None:
    with pytest.raises(EnvironmentProblem) as refused:
        line_of(checkout, words, Latency(PROGRAM, 200))

    assert str(refused.value) == (
        "this kernel cannot add latency to a link (it has no netem), and what does it instead does "
        f"not work ({said}); leave the latency out of the transport"
    )


def test_one_that_is_not_built_is_one_sentence(checkout: Path) -> None:
    with pytest.raises(EnvironmentProblem, match=r"it has no netem\), and isobath-delay, .* is not "
                       r"built; build it: \./isobath setup, or leave the latency out"):  # fmt: skip
        DelayLine(["env"], ["port0", "port1"], Latency(PROGRAM, 200))

    (checkout / PROGRAM).touch(mode=0o755)
    assert delay_program() == checkout / PROGRAM
    assert Installation.here().prefix == checkout.parents[2]


def test_one_that_ended_before_the_nodes_is_told_of(checkout: Path) -> None:
    latency = Latency(PROGRAM, 200)
    line = line_of(checkout, f"print('{READY}', flush=True)", latency)
    line.process.wait()

    line.close()

    assert latency.facts()["ended_early"] is True
    assert latency.lost_frames is None
    assert "IT ENDED BEFORE THE NODES DID" in latency.note()


@pytest.mark.parametrize("priority", ["high", "usual"])
def test_without_its_priority_that_is_said(checkout: Path, priority: str) -> None:
    latency = Latency(PROGRAM, 200)
    line_of(checkout, WAITS.replace("real-time", priority), latency).close()

    assert "it may not run before them, so it is late where they use all processors" in (
        latency.note()
    )


def test_the_kernels_own_needs_no_more_words() -> None:
    assert Latency("netem", 50).note() == "latency of 50 us between nodes by netem"
    assert Latency("netem", 50).facts() == {"by": "netem", "microseconds": 50}
