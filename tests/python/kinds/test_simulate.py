# SPDX-License-Identifier: Apache-2.0
"""isobath simulate without SimGrid: what is stored and shown, always SIMULATED; what is refused."""

import csv
import io
import json
import os
import re
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from compared.test_compare_command import Store, store
from isobath.errors import EnvironmentProblem, ExitCode
from isobath.kinds.simulate import session
from isobath.kinds.simulate.sections import phases
from isobath.kinds.simulate.stored import result_of
from isobath.launch.interrupts import NeverStop
from isobath.launch.limits import NOTHING_ASKED, Asked, of_silent_program
from isobath.launch.plain_run import PlainOutcome
from isobath.launch.processes import is_alive
from isobath.launch.simgrid import SimGrid, Simulation, simulate
from isobath.records.skeleton import SkeletonRecord
from isobath.view.content import Figure, Section
from patience import patience

__all__ = ["store"]

SCHEMA = Path(__file__).resolve().parents[3] / "schema" / "findings-1.json"
SMALL = ("--plan", "two-dim", "--grid", "2x2", "--scale", "12", "--no-report")
ONE_COLUMN = ("--scale", "9", "--grid", "4x1", "--plan", "replicated-csr")
OWN_DIRECTIONS = ("--scale", "9", "--grid", "4x1", "--plan", "hybrid")
SECONDS = 0.001


def played(schedule: str, run_id: str, origin: str) -> str:
    """What the skeleton would say: every step takes a millisecond."""
    heads = [line.split() for line in schedule.splitlines() if line.startswith("step")]
    rows = [
        SkeletonRecord(
            run_id=run_id, origin=origin, ranks=4, step=number, level=int(head[1]),  # type: ignore[arg-type]
            phase=head[2], call=head[3], communicator=head[4], calls=4, messages=4,  # type: ignore[arg-type]
            bytes_sent=64, seconds_mean=SECONDS / 2, seconds_max=SECONDS,
            ended_seconds=SECONDS * (number + 1),
        )
        for number, head in enumerate(heads)
    ]  # fmt: skip
    return "".join(row.model_dump_json(by_alias=True) + "\n" for row in rows)


@pytest.fixture
def pretend(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """In the place of SimGrid."""

    def set_up(origin: str = "simulated", outcome: PlainOutcome | None = None) -> None:
        def pretended(simulation: Simulation, _: SimGrid, **given: Any) -> tuple[PlainOutcome, int]:
            text = played(simulation.schedule.read_text("utf-8"), simulation.run_id, origin)
            given["stdout"].write_text("" if outcome else text, encoding="utf-8")
            given["stderr"].write_text("", encoding="utf-8")
            return outcome or PlainOutcome(ExitCode.DONE, "", 0.5), 10**8

        simgrid = SimGrid("3.32", "smpirun", Path("/isobath-skeleton-smpi"))
        monkeypatch.setattr(session, "find_simgrid", lambda: simgrid)
        monkeypatch.setattr(session, "simulate", pretended)

    return set_up


def test_a_simulation_is_kept_shown_and_always_marked(
    store: Store, pretend: Callable[..., None], tmp_path: Path
) -> None:
    pretend()

    said = store.isobath("simulate", *SMALL, "--nodes", "2", "--platform", "tsubame2")

    assert said.code == 0, said.err
    assert "messages of 4 ranks on 2 nodes of fat tree of TSUBAME 2.0" in said.err
    assert "SIMULATED: no search was run" in said.out
    assert "not validated" in " ".join(said.out.split())
    found = store.isobath("show", "last:simulate", "--json").found
    jsonschema.validate(found, json.loads(SCHEMA.read_text(encoding="utf-8")))
    steps = (store.folder / found["study"] / "schedule.txt").read_text("utf-8").count("step ")
    assert found["simulated_seconds"] == pytest.approx(SECONDS * steps)
    assert (found["grid"], found["nodes"], found["simulated_gteps"]) == ("2x2", 2, None)
    assert sum(one["simulated_seconds_max"] for one in found["steps"]) == pytest.approx(
        SECONDS * steps
    )
    for view in ("summary", "levels", "all"):
        shown = store.isobath("show", "last:simulate", "--view", view)
        assert shown.code == 0
        titles = [
            line for line in shown.out.splitlines() if "simulated" in line and "ms" not in line
        ]
        assert any("SIMULATED" in line for line in titles), view
    table = store.isobath("show", "last:simulate", "--view", "steps", "--format", "csv").out
    assert len(list(csv.DictReader(io.StringIO(table)))) == len(found["steps"])
    page = tmp_path / "simulation.html"
    assert store.isobath("report", "last:simulate", "-o", str(page)).code == 0
    assert "SIMULATED" in page.read_text(encoding="utf-8")
    assert "SIMULATED: " in store.isobath("list", "--kind", "simulate", "--json").out


def test_computation_makes_a_rate(store: Store, pretend: Callable[..., None]) -> None:
    pretend()

    assert store.isobath("simulate", *SMALL, "--arcs-per-second", "1e8").code == 0

    found = store.isobath("show", "last:simulate", "--json").found
    edges = 16 << 12
    assert found["simulated_gteps"] == pytest.approx(edges / found["simulated_seconds"] / 1e9)
    assert any(one["call"] == "compute" for one in found["steps"])


def test_a_measured_platform_tells_its_segments_instead_of_an_overhead(
    store: Store, pretend: Callable[..., None], tmp_path: Path
) -> None:
    pretend()
    file = tmp_path / "network.toml"
    costs = "".join(
        f"[[segments]]\nfrom_bytes = {size}\nsend_seconds = 1e-6\nsend_seconds_per_byte = 0\n"
        "receive_seconds = 1e-6\nreceive_seconds_per_byte = 0\n"
        for size in (0, 1024)
    )
    file.write_text(
        'topology = "crossbar"\nnodes = 4\nsource = "measured"\ntold = "a test"\n'
        f"bytes_per_second = 1e9\nlatency_seconds = 1e-6\n{costs}",
        encoding="utf-8",
    )

    assert store.isobath("simulate", *SMALL, "--platform", str(file)).code == 0

    found = store.isobath("show", "last:simulate", "--json").found
    assert found["platform"]["segments"] == 2
    said = store.isobath("show", "last:simulate", "--view", "basis")
    assert "by 2 segments of sizes" in " ".join(said.out.split())
    assert "Links are" not in said.out


def test_what_was_changed_after_sealing_is_not_shown(
    store: Store, pretend: Callable[..., None]
) -> None:
    pretend()
    assert store.isobath("simulate", *SMALL).code == 0
    (study,) = store.folder.iterdir()
    result = study / "simulation.json"
    result.write_text(result.read_text("utf-8").replace("two-dim", "simple "), encoding="utf-8")

    said = store.isobath("show", study.name)

    assert said.code == ExitCode.ENVIRONMENT
    assert "simulate again" in said.err


def test_a_simulation_that_fails_is_kept_and_says_why(
    store: Store, pretend: Callable[..., None]
) -> None:
    pretend(outcome=PlainOutcome(ExitCode.TIMEOUT, "it was not over after 1 s", 1.0))
    said = store.isobath("simulate", *SMALL)
    assert (said.code, "it was not over after 1 s" in said.err) == (ExitCode.TIMEOUT, True)
    assert "it was not over after 1 s" in store.isobath("show", "last:simulate").err


def test_measured_times_are_never_taken_for_simulated_ones(
    store: Store, pretend: Callable[..., None]
) -> None:
    pretend(origin="measured")
    said = store.isobath("simulate", *SMALL)
    assert said.code == ExitCode.INTERNAL
    assert "built with another MPI than SimGrid's" in said.err


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ((), "name a run to simulate, or a search by --plan"),
        (("--scale", "12"), "say how many ranks search"),
        (("--scale", "12", "--grid", "2by2"), "--grid 2by2 is no grid"),
        (("--scale", "12", "--grid", ""), "is no grid"),
        (("--scale", "12", "--grid", f"{'9' * 5000}x2"), "is no grid"),
        (("--scale", "12", "--grid", "1000000x1000000"), "1,000,000,000,000 ranks; take 2 to"),
        (("--scale", "12", "--nodes", "1000000000000000003"), "has 1 to 16,384 nodes"),
        (("--scale", "12", "--grid", "4x4", "--plan", "simple"), "needs a grid of one row, 1x16"),
        (("--scale", "12", "--grid", "1x4", "--plan", "replicated-csr"), "of one column, 4x1"),
        (("--scale", "12", "--grid", "2x2", "--nodes", "3"), "take a number that divides"),
        (("--scale", "12", "--grid", "2x2", "--nodes", "5"), "are on fewer"),
        (("--scale", "12", "--grid", "8x8", "--platform", "deck-fdr"), "has 1 to 32 nodes"),
        (("--scale", "12", "--grid", "2x2", "--search", "1"), "name a run, too"),
        (("--scale", "12", "--grid", "2x2", "--platform", "nowhere"), "no such platform"),
        (("last", "--scale", "12"), "--scale goes without a run"),
        (
            (*ONE_COLUMN, "--exchange", "alltoallv", "--root", "5"),
            "--exchange alltoallv does not go with --plan replicated-csr; leave --exchange out",
        ),
        (
            (*OWN_DIRECTIONS, "--exchange", "own", "--root", "5"),
            "hybrid; take eager, alltoallv or pairwise; besides, --root: hybrid chooses directions",
        ),
        ((*ONE_COLUMN, "--root", "512"), "--root 512 is no vertex of scale 9: those are 0 to 511"),
        ((*ONE_COLUMN, "--root", "5", "--engine"), "--engine searches by itself; leave --root out"),
    ],
)
def test_what_cannot_be_simulated_is_refused_before_anything_is_written(
    store: Store, pretend: Callable[..., None], words: tuple[str, ...], sentence: str
) -> None:
    pretend()
    said = store.isobath("simulate", *words, "--no-report")
    assert said.code == ExitCode.USAGE
    assert sentence in " ".join(said.err.split())
    assert list(store.folder.iterdir()) == []


@pytest.mark.parametrize("exchange", [(), ("--exchange", "own"), ("--exchange", "alltoallv")])
def test_whoever_does_what_a_refusal_says_is_not_refused_again(
    store: Store, pretend: Callable[..., None], exchange: tuple[str, ...]
) -> None:
    pretend()
    words = ("simulate", "--scale", "9", "--grid", "1x4", *exchange, "--no-report", "--plan")

    said = store.isobath(*words, "one-sided")

    assert said.code == ExitCode.USAGE
    assert said.err.split()[-3:] == ["take", "--plan", "simple"]
    assert store.isobath(*words, "simple").code == 0


def test_without_simgrid_it_says_what_to_install(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    said = store.isobath("simulate", *SMALL)
    assert said.code == ExitCode.ENVIRONMENT
    assert "apt-get install libsimgrid-dev" in said.err


def test_what_a_simulation_costs_is_counted_without_simgrid(
    store: Store, pretend: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same count as where SimGrid is; what is missing stands where the launch line would."""
    dry = ("simulate", *SMALL, "--dry-run")
    with monkeypatch.context() as without:
        without.setenv("PATH", "/nowhere")
        said, facts = store.isobath(*dry), store.isobath(*dry, "--json")
        pretend()
        with_it = store.isobath(*dry)

    assert (said.code, facts.code) == (0, 0), said.err
    count = said.out.partition(" on 4 nodes")[0]
    assert re.fullmatch(r"simulates [1-9]\d+ messages of 4 ranks", count)
    assert with_it.out.startswith(count)
    assert "launch line: ISOBATH_MESSAGE_COSTS='' smpirun" in with_it.out
    assert "launch line" not in said.out
    assert "cannot be started here: smpirun of SimGrid is not here" in " ".join(said.out.split())
    (launch,) = facts.found["launches"]
    assert "apt-get install libsimgrid-dev" in launch["missing"]
    assert "command" not in launch
    assert list(store.folder.iterdir()) == []


def test_without_setpriv_nothing_is_simulated_and_it_says_what_to_install(
    store: Store, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    script(tmp_path / "smpirun", "echo SimGrid version 3.32")
    monkeypatch.setenv("PATH", str(tmp_path))

    said = store.isobath("simulate", *SMALL)

    assert said.code == ExitCode.ENVIRONMENT
    sentence = "setpriv is not here, without which a simulation that is killed would go on; "
    assert sentence + "apt-get install util-linux" in " ".join(said.err.split())
    assert list(store.folder.iterdir()) == []


def script(path: Path, *lines: str) -> Path:
    """A program of the shell, found by its own PATH."""
    text = "\n".join(("#!/bin/sh", f"PATH={os.defpath}:/usr/local/bin", *lines)) + "\n"
    path.write_text(text, encoding="utf-8")
    path.chmod(0o755)
    return path


def test_a_simulator_ends_with_its_smpirun_however_that_ends(tmp_path: Path) -> None:
    """A script in the place of smpirun starts it as the real one does: behind -wrapper."""
    smpirun = script(
        tmp_path / "smpirun",
        'until [ "$1" = -wrapper ]; do shift; done',
        '$2 "$4" & wait',
    )
    simulator = script(tmp_path / "isobath-skeleton-smpi", "echo $$", "exec sleep 1000")
    simulation = Simulation(Path("/s"), Path("/p"), Path("/h"), 2, (), "x")
    command = simulation.line(SimGrid("3.32", str(smpirun), simulator)).command
    shell = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert shell.stdout is not None
    pid = int(shell.stdout.readline())
    assert is_alive(pid)

    shell.send_signal(signal.SIGKILL)
    shell.communicate(timeout=patience())

    deadline = time.monotonic() + patience()
    while is_alive(pid) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not is_alive(pid)


def test_goal_is_written_without_simgrid_and_makes_no_study(
    store: Store, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    file = tmp_path / "search.goal"

    said = store.isobath("simulate", *SMALL, "--goal", str(file))

    assert said.code == 0, said.err
    assert "messages of 4 ranks" in said.err
    assert file.read_text(encoding="ascii").startswith("num_ranks 4\nrank 0 {\n")
    assert list(store.folder.iterdir()) == []
    refused = store.isobath("simulate", *SMALL, "--goal", str(file), "--dry-run")
    assert (refused.code, "leave --dry-run" in refused.err) == (ExitCode.USAGE, True)


def test_a_folder_that_smpirun_cannot_name_is_told() -> None:
    simulation = Simulation(Path("/a b/s"), Path("/p"), Path("/h"), 2, (), "x")
    with pytest.raises(EnvironmentProblem, match="has a space in its name"):
        simulation.line(SimGrid("3.32", "smpirun", Path("/k")))


@pytest.mark.parametrize(
    ("said", "code", "sentence"),
    [
        ("[0.0] ./x.cpp:48: [surf/CRITICAL] No route from n0 to n1", ExitCode.ENVIRONMENT,
         "SimGrid refused it: No route from n0 to n1"),
        ("isobath-skeleton: s, line 3: it has no step", ExitCode.ENVIRONMENT, ""),
    ],
)  # fmt: skip
def test_what_ends_a_simulation_is_told_in_a_sentence(
    tmp_path: Path, said: str, code: ExitCode, sentence: str
) -> None:
    """A script in the place of smpirun."""
    fake = tmp_path / "smpirun"
    fake.write_text(f"#!/bin/sh\necho '{said}' >&2\nexit 3\n", encoding="utf-8")
    fake.chmod(0o755)
    simulation = Simulation(Path("/s"), Path("/p"), Path("/h"), 2, (), "x")

    outcome, _ = simulate(
        simulation, SimGrid("3.32", str(fake), Path("/isobath-skeleton-smpi")),
        stdout=tmp_path / "out", stderr=tmp_path / "err", limits=of_silent_program(NOTHING_ASKED),
        interrupts=NeverStop(),
    )  # fmt: skip

    assert outcome.exit_code == code
    assert outcome.message
    assert sentence in outcome.message


def test_a_simulation_that_takes_too_long_is_ended(tmp_path: Path) -> None:
    fake = tmp_path / "smpirun"
    fake.write_text("#!/bin/sh\nexec sleep 100\n", encoding="utf-8")
    fake.chmod(0o755)
    outcome, _ = simulate(
        Simulation(Path("/s"), Path("/p"), Path("/h"), 2, (), "x"),
        SimGrid("3.32", str(fake), Path("/isobath-skeleton-smpi")),
        stdout=tmp_path / "out", stderr=tmp_path / "err",
        limits=of_silent_program(Asked(time_limit=0.5)), interrupts=NeverStop(),
    )  # fmt: skip
    assert outcome.exit_code == ExitCode.TIMEOUT


def test_what_was_measured_is_laid_over_what_was_simulated(
    store: Store, pretend: Callable[..., None]
) -> None:
    """The bar of a call carries a mark where its run took twice as long; without a run none."""
    pretend()
    assert store.isobath("simulate", *SMALL).code == 0
    (folder,) = store.folder.glob("*simulate*")
    plain = result_of(folder)
    steps = [
        step.model_copy(update={"measured_seconds_max": 2 * step.simulated_seconds_max})
        for step in plain.steps
    ]
    beside = plain.model_copy(update={"steps": type(plain.steps)(steps)})

    marked, unmarked = (_figure(next(phases(one))) for one in (beside, plain))

    for bar in marked.chart.bars:
        assert bar.limit == pytest.approx(2 * bar.value)
        assert "measured" in bar.text
    assert "the mark across a bar was measured" in marked.caption
    assert all(bar.limit is None and "measured" not in bar.text for bar in unmarked.chart.bars)
    assert "measured" not in unmarked.caption
    assert marked.chart.axis == unmarked.chart.axis == "simulated, ms"


def _figure(section: Section) -> Any:
    (figure,) = (block for block in section.blocks if isinstance(block, Figure))
    return figure
