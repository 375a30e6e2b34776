# SPDX-License-Identifier: Apache-2.0
import inspect
import re
from pathlib import Path
from typing import Any

import pytest

from isobath.cli.run import run
from isobath.errors import EnvironmentProblem, UsageError
from isobath.kinds.run.settings import RUN, SETTING_NAMES, RunSettings, merge_settings
from isobath.plan.graph_facts import LARGEST_EDGEFACTOR, LARGEST_SCALE
from isobath.settings.sources import OTHER_VARIABLES


def merged(
    *, file: Path | None = None, variables: dict[str, str] | None = None, **options: Any
) -> RunSettings:
    return merge_settings(file=file, variables=variables or {}, options=options)[0]


def test_every_setting_is_an_option_and_every_option_a_setting() -> None:
    options = set(inspect.signature(run).parameters) - {
        *("file", "show_config", "dry_run", "json_output")
    }

    assert options == set(SETTING_NAMES)


def test_every_setting_can_come_from_a_variable() -> None:
    texts = {
        bool: "yes",
        int: "1",
        float: "2.5",
        str: "memory",
    }
    for spec in RUN.settings:
        text = str((spec.limits.choices or (texts[spec.kind],))[0])
        if spec.name == "transport":
            text = "tcp"
        found = merged(variables={f"ISOBATH_{spec.name.upper()}": text})
        assert getattr(found, spec.name) != () if spec.name == "root" else True


def test_values_are_of_their_types(tmp_path: Path) -> None:
    file = tmp_path / "c.toml"
    file.write_text(
        "scale = 20\nofficial = true\nroot = [3, 5]\nhang_seconds = 30\n", encoding="utf-8"
    )

    found = merged(file=file, variables={"ISOBATH_ROOT": "7, 8", "ISOBATH_VALIDATION": "off"})

    assert found == RunSettings(
        scale=20, official=True, root=(7, 8), hang_seconds=30.0, validation=False
    )


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("scal = 20", "there is no setting scal of run; did you mean scale?"),
        ("zzz = 1", "there is no setting zzz of run; there are scale"),
        ("scale = '20'", "takes a whole number"),
        ("scale = true", "takes a whole number"),
        ("scale = 2.5", "takes a whole number"),
        ("official = 1", "takes true or false"),
        ("mpi = 3", "takes a text"),
        ("scale = 0", "the least is 1"),
        ("keys = 0", "the least is 1"),
        ("warmup = 2", "the most is 1"),
        ("edges = 'disk'", "choose one of memory, file, regenerate"),
        ("plan = 'simpel'", "did you mean simple? There are replicated-csr"),
        ("ids = 16", "choose one of 64, 32"),
        ("relabel = 'yes'", "choose one of on, classes, off"),
        ("ranks_per_node = 0", "the least is 1"),
        ("edgefactor = 4097", "the most is 4096"),
        ("alpha = nan", "takes a finite number"),
        ("alpha = 0", "must be greater than 0"),
        ("beta = inf", "takes a finite number"),
        ("beta = -1.5", "must be greater than 0"),
        ("hang_seconds = nan", "takes a finite number"),
        ("scale = ", "is not TOML"),
        ("[run]\nscale = 3", "there is no setting run of run"),
    ],
)
def test_a_wrong_file_is_refused(tmp_path: Path, text: str, sentence: str) -> None:
    file = tmp_path / "c.toml"
    file.write_text(text, encoding="utf-8")

    with pytest.raises(UsageError, match=sentence.replace("?", r"\?")):
        merged(file=file)


@pytest.mark.parametrize(
    ("name", "text", "sentence"),
    [
        ("ISOBATH_SCAL", "3", "did you mean scale"),
        ("ISOBATH_SCALE", "many", "is not a number"),
        ("ISOBATH_OFFICIAL", "perhaps", "neither yes nor no"),
        ("ISOBATH_SCALE", "44", "the most is 43"),
        ("ISOBATH_ALPHA", "nan", "takes a finite number"),
    ],
)
def test_a_wrong_variable_is_refused(name: str, text: str, sentence: str) -> None:
    with pytest.raises(UsageError, match=sentence):
        merged(variables={name: text})


def test_a_switch_that_is_on_or_off_may_be_true_or_false(tmp_path: Path) -> None:
    file = tmp_path / "c.toml"
    file.write_text("relabel = false\nstreams = true\nleaves = 'in'\n", encoding="utf-8")

    found = merged(file=file)

    assert (found.relabel, found.streams, found.leaves) == ("off", "on", "in")


def test_variables_of_others_and_of_the_front_door_are_left_alone() -> None:
    assert merged(variables={"PATH": "x", "ISOBATH_PREFIX": "/x", "ISOBATH_APT": "0"}) == (
        RunSettings()
    )


NAMES_OF_BUILDS = {
    *("ASSERT", "ASSERTIONS", "EXPECTS", "VERSION", "WERROR", "SANITIZE", "FETCH"),
    *("BUILD_TESTS", "BUILD_BENCHMARKS", "TEST_LAYERS", "TEST_RANKS", "TEST_DATA", "COUNTERPART"),
    *("MPI_ABI", "MPI_CHECKED", "MPI_FAMILY", "MPI_LARGE_COUNTS", "MPIEXEC", "MPIEXEC_FLAGS"),
    *("MPI_LARGE_COUNT_COLLECTIVES", "MPI_PERSISTENT_COLLECTIVES"),
    *("SMPICXX", "CALL", "MPI_IS_MPICH", "MPI_IS_OPENMPI", "PROFILER_ABI"),
    *("OWN_ALGORITHMS", "DECLARE", "LIST", "COLLECTIVES", "COUNTING_COLLECTIVES", "ENUMERATOR"),
    *("FUNCTIONS", "NAME", "VISIT", "PUT", "PUT_PERSISTENT", "PUT_LARGE"),
    *("REGION_H", "REGION_ENTER", "REGION_LEAVE", "REGION_CHANGE", "REGION_SEARCH"),
    *("QUICK_TEST_BUILD", "PRESET", "SANITIZED", "HAS_SANITIZERS"),
    *("SIMULATED_LAYERS", "SMPI_HEADERS", "SIMGRID"),
}
"""Names of CMake and of the preprocessor: nobody reads them from the environment."""


def test_every_variable_that_we_read_or_set_is_known() -> None:
    root = Path(__file__).resolve().parents[3]
    files = [root / "isobath", *(root / ".ci").iterdir()]
    for folder in ("tools", "engine", "src", "benchmarks"):
        files += [path for path in (root / folder).rglob("*") if path.suffix != ".pyc"]
    found: dict[str, Path] = {}
    for path in files:
        if path.is_file():
            text = path.read_text(encoding="utf-8", errors="replace")
            found |= dict.fromkeys(re.findall(r"\bISOBATH_([A-Z0-9_]*[A-Z0-9])\b", text), path)
    for builds in NAMES_OF_BUILDS & set(found):
        found.pop(builds)

    for name, path in found.items():
        is_setting = name.lower() in SETTING_NAMES
        assert is_setting or f"ISOBATH_{name}" in OTHER_VARIABLES, f"{name} in {path}"
    assert merged(variables=dict.fromkeys(OTHER_VARIABLES, "1")) == RunSettings()


def test_limits_are_those_of_the_engine() -> None:
    header = Path(__file__).resolve().parents[3] / "engine" / "generator" / "kronecker.hpp"
    limits = dict(re.findall(r"constexpr int (max_\w+) = (\d+);", header.read_text("utf-8")))

    assert limits["max_scale"] == str(LARGEST_SCALE)
    assert limits["max_edgefactor"] == str(LARGEST_EDGEFACTOR)


def test_a_file_that_is_no_text_is_called_so(tmp_path: Path) -> None:
    path = tmp_path / "latin.toml"
    path.write_bytes('store = "L\u00e4ufe"\n'.encode("latin-1"))

    with pytest.raises(UsageError, match=r"is not UTF-8 text \(its byte 10 cannot be\); save it"):
        merged(file=path)


def test_a_missing_file_is_an_environment_problem(tmp_path: Path) -> None:
    with pytest.raises(EnvironmentProblem, match="cannot read"):
        merged(file=tmp_path / "nowhere.toml")
