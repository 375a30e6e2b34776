# SPDX-License-Identifier: Apache-2.0
"""``bench cg --petsc-example`` from its source to its rows, with a PETSc that computes nothing."""

import json
import os
from pathlib import Path

import pytest

from cli.conftest import Checkout
from isobath.kinds.cg.plan import EXAMPLE, PLAN, run_name
from isobath.records.codec import encode
from isobath.study.folder import StudyFolder
from records import examples

STORED = Path(__file__).resolve().parents[2] / "data" / "petsc" / "ex3-cg.txt"
"""of PETSc's own: 20 iterations"""

WISH = ("bench", "cg", "--elements", "64", "--iterations", "20", "--ranks", "1", "--launches", "1",
        "--progress", "library", "--no-profile", "--no-report", "--petsc-example")  # fmt: skip

PKG_CONFIG = "#!/bin/sh\n[ $1 = --modversion ] && echo 3.18.5 || echo -lpetsc\n"

COMPILER = """#!/bin/sh
for word; do
    [ "$before" = -o ] && program=$word
    case $word in *.c) source=$word ;; esac
    before=$word
done
grep -q 'of another version' "$source" && { echo "$source:1:9: error: no KSP" >&2; exit 1; }
case $source in
    *ex3.c) printf '#!/bin/sh\\ncat "%s"\\n' "$source" >"$program" ;;
    *) cp "$FAKE_PETSC_PROGRAM" "$program" ;;
esac
chmod +x "$program"
"""
"""The example prints what stands in its source."""

LAUNCHER = """#!/bin/sh
while [ ! -x "$1" ]; do shift; done
exec "$@"
"""

PROGRAM = """#!/bin/sh
while [ $# -gt 0 ]; do
    case $1 in -record) record=$2 ;; -run_id) run=$2 ;; esac
    shift
done
sed "s/RUN/$run/" "$FAKE_PETSC_RECORD" >"$record"
"""


@pytest.fixture(autouse=True)
def petsc(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stands first in PATH."""
    folder = tmp_path / "petsc"
    folder.mkdir()
    for name, script in (("pkg-config", PKG_CONFIG), ("mpicc.openmpi", COMPILER),
                         ("mpiexec.openmpi", LAUNCHER), ("program", PROGRAM)):  # fmt: skip
        (folder / name).write_text(script, encoding="utf-8")
        (folder / name).chmod(0o755)
    theirs = {"run_id": "RUN", "implementation": "petsc", "elements": 64, "iterations": 20}
    record = examples.krylov_record().model_copy(update=theirs)
    (folder / "record").write_text(encode(record) + "\n", encoding="utf-8")
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
    monkeypatch.setenv("FAKE_PETSC_PROGRAM", str(folder / "program"))
    monkeypatch.setenv("FAKE_PETSC_RECORD", str(folder / "record"))


def source_of(folder: Path, text: str) -> Path:
    path = folder / "ex3.c"
    path.write_text(text, encoding="utf-8")
    return path


def test_it_is_measured_beside_our_twin(checkout: Checkout, tmp_path: Path) -> None:
    source = source_of(tmp_path, STORED.read_text(encoding="utf-8"))

    said = checkout.isobath(*WISH, source)

    assert said.code == 0, said.err
    (path,) = (checkout.prefix / "studies").iterdir()
    study = StudyFolder(path)
    sealed = [study.sealed(run_name(arm, launch)) for arm, launch in PLAN.read(study).runs()
              if arm.mpi == EXAMPLE]  # fmt: skip
    assert len(sealed) == 3, "of its two methods, the second with and without progress"
    assert all(run is not None and run.verify() == [] for run in sealed)
    stored = json.loads(checkout.isobath("show", "last", "--json").out)
    (table,) = (one for one in stored["groups"] if one["mpi"] == EXAMPLE)
    assert [(row["method"], row["progress"]) for row in table["rows"]] == [
        ("cg", "blocking"), ("pipelined", "blocking"), ("pipelined", "library"),
    ]  # fmt: skip
    per_iteration = [row["seconds_per_iteration"] for row in table["rows"]]
    assert per_iteration == pytest.approx([2.4654e-3 / 20] * 3, abs=1e-9)
    assert "petsc-ex3, 1 rank" in said.out


def test_other_output_is_a_launch_that_failed_and_says_where_it_is(
    checkout: Checkout, tmp_path: Path
) -> None:
    said = checkout.isobath(*WISH, source_of(tmp_path, "Hello, world\n"))

    assert said.code == 3
    lines = [line for line in said.err.splitlines() if "PETSc's example did not print" in line]
    assert lines
    assert all("its output is in stdout.txt" in line for line in lines)
    assert checkout.isobath("show", "last").code == 0, "what was measured beside it stays"


def test_a_source_that_does_not_compile_measures_nothing(
    checkout: Checkout, tmp_path: Path
) -> None:
    said = checkout.isobath(*WISH, source_of(tmp_path, "of another version\n"))

    assert said.code == 3
    (line,) = [line for line in said.err.splitlines() if "does not compile" in line]
    assert line.startswith(f"isobath: PETSc's example {tmp_path / 'ex3.c'} does not compile with")
    assert "1:9: error: no KSP; give the ex3.c of this version" in line
    assert "[1/" not in said.err
