# SPDX-License-Identifier: Apache-2.0
"""Credentials in the environment and in commands, and what the real programs store of them."""

import json
import subprocess
from pathlib import Path

import pytest

from cli import planted
from system.laboratory import Laboratory

TYPED, HIDDEN = planted.words()
SECRETS = [*HIDDEN, *planted.secrets_of_variables()]

# Variables that an MPI library obeys stay as they are: the programs shall run.
OBEYED = ("FI_PROVIDER_PATH", "UCX_NET_DEVICES", "I_MPI_ROOT", "OMP_PLACES", "OMPI_MCA_coll",
          "PMIX_SERVER_URI")  # fmt: skip
VARIABLES = {name: value for name, value in planted.variables().items() if name not in OBEYED}

FOREIGN = """
#include <mpi.h>
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
"""


@pytest.fixture(autouse=True)
def laden(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in VARIABLES.items():
        monkeypatch.setenv(name, value)


def assert_nothing_is_found(lab: Laboratory, *folders: Path) -> None:
    names = ("studies", "reports")
    stored = [*folders, *(lab.prefix / name for name in names if (lab.prefix / name).is_dir())]
    assert planted.found_in(stored, SECRETS) == []


def test_a_run_keeps_none(lab: Laboratory) -> None:
    done = lab.isobath("run", "--scale", "10", "--keys", "4", "--ranks", "2")

    assert done.code == 0, done.err
    assert_nothing_is_found(lab)
    variables = lab.runs[-1].environment()["nodes"][0]["variables"]
    assert variables["UCX_NOT_KNOWN"] == "[left out]"
    assert "SLURM_JWT" not in variables


def test_the_engine_alone_keeps_none(lab: Laboratory, tmp_path: Path) -> None:
    folder = tmp_path / "ghp_typedtypedtypedtypedtyped"
    folder.mkdir()
    record = folder / "records.jsonl"

    done = lab.engine("--scale", 8, "--keys", 2, "--record", record, ranks=2)

    assert done.code == 0, done.err
    assert_nothing_is_found(lab, folder)
    run = json.loads(record.read_text(encoding="utf-8").splitlines()[0])
    assert run["argv"][-1].endswith("/[left out]/records.jsonl")


def test_launches_of_a_benchmark_keep_none(lab: Laboratory) -> None:
    words = (
        "--collectives",
        "barrier",
        "--forms",
        "blocking",
        "--ranks",
        "2",
        "--launches",
        "1",
        "--no-report",
    )
    few = ("--algorithms", "none", "--least", "5", "--most", "5", "--budget", "0.1")

    done = lab.isobath("bench", "collectives", *words, *few)

    assert done.code == 0, done.err
    assert_nothing_is_found(lab)
    records = max((lab.prefix / "studies").glob("*/runs/*/records.jsonl"))
    launch = json.loads(records.read_text(encoding="utf-8").splitlines()[0])
    assert launch["environment"]["UCX_NOT_KNOWN"] == "[left out]"
    assert "SLURM_JWT" not in launch["environment"]


def test_the_profile_of_a_foreign_program_keeps_none(lab: Laboratory, tmp_path: Path) -> None:
    if not Path(lab.mpi.mpicxx).is_file():
        pytest.fail(f"{lab.mpi.id} has no compiler, and the engine was built with it")
    source, program = tmp_path / "foreign.cpp", tmp_path / "foreign"
    source.write_text(FOREIGN, encoding="utf-8")
    subprocess.run([lab.mpi.mpicxx, str(source), "-o", str(program)], check=True)

    done = lab.isobath("profile", "--", lab.mpi.mpiexec, "-n", "2", program, *TYPED)

    assert done.code == 0, done.err
    run = lab.runs[-1]
    assert "[left out]" in run.summary().command
    assert "[left out]" in run.summary().launch_line
    assert lab.isobath("report", run.path).code == 0
    assert_nothing_is_found(lab)
