# SPDX-License-Identifier: Apache-2.0
"""Rule files that we write are obeyed by Open MPI, at the sizes that they say."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from bench.made_up import measured_of
from isobath.bench.algorithms import OPENMPI
from isobath.bench.identity import Stacks, named_algorithm
from isobath.bench.rules import rule_files
from needs import needs

SOURCE = Path(__file__).with_name("named_calls.c")
COMPILER, LAUNCHER = shutil.which("mpicc.openmpi"), shutil.which("mpiexec.openmpi")
RANKS, SMALL, LARGE = 2, 64, 1024

pytestmark = needs("openmpi")


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("rules") / "named_calls"
    assert COMPILER is not None
    words = [COMPILER, "-O2", "-Wall", "-Wextra", "-Werror", str(SOURCE), "-o", str(path)]
    subprocess.run(words, check=True)
    return path


def names_of(program: Path, rules: Path, collective: str, *sizes: int) -> list[str | None]:
    """The algorithm that Open MPI takes at each size, as its stacks name it."""
    assert LAUNCHER is not None
    told = {
        "OMPI_MCA_coll_tuned_use_dynamic_rules": "1",
        "OMPI_MCA_coll_tuned_dynamic_rules_filename": str(rules),
        "OMPI_MCA_mpi_yield_when_idle": "1",
        "OMPI_MCA_btl_vader_single_copy_mechanism": "none",
        "OMPI_ALLOW_RUN_AS_ROOT": "1",
        "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    }
    words = [
        LAUNCHER,
        "-n",
        str(RANKS),
        "--oversubscribe",
        str(program),
        collective,
        *map(str, sizes),
    ]
    done = subprocess.run(words, env=os.environ | told, capture_output=True, text=True, check=True,
                          timeout=1200)  # fmt: skip
    found = []
    for line in done.stdout.splitlines():
        _, *functions = line.split()
        counted = {name: functions.count(name) for name in set(functions)}
        found.append(named_algorithm(collective, Stacks(max(counted.values()), counted)))
    return found


@pytest.mark.parametrize(
    ("collective", "small", "large"),
    [
        ("allgather", "bruck", "recursive_doubling"),
        ("allreduce", "recursive_doubling", "rabenseifner"),
        pytest.param("alltoall", "linear", "modified_bruck", marks=pytest.mark.slow),
        pytest.param("gather", "basic_linear", "linear_sync", marks=pytest.mark.slow),
        pytest.param("scatter", "basic_linear", "linear_nb", marks=pytest.mark.slow),
        pytest.param(
            "reduce_scatter_block",
            "recursive_halving",
            "recursive_doubling",
            marks=pytest.mark.slow,
        ),
    ],
)
def test_open_mpi_takes_what_the_file_says_from_the_size_that_it_says(
    program: Path, tmp_path: Path, collective: str, small: str, large: str
) -> None:
    times = {}
    for size, best in ((SMALL, small), (LARGE, large)):
        times[collective, size, ""] = 8e-6
        times[collective, size, best] = 4e-6
    (rules,) = rule_files(measured_of(times, family="openmpi", ranks=RANKS))
    path = tmp_path / rules.name
    path.write_text(rules.text, encoding="utf-8")
    assert {small, large} <= set(OPENMPI[collective])

    found = names_of(program, path, collective, SMALL, LARGE - 8, LARGE)

    assert found == [small, small, large]
