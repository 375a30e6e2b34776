# SPDX-License-Identifier: Apache-2.0
import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cli.conftest import Checkout
from isobath.cli.commands import COMMANDS
from isobath.cli.suite_results import Results, results_of
from isobath.errors import UsageError
from isobath.kinds.run.needs import memory_of


def test_help_names_every_subcommand(checkout: Checkout) -> None:
    for words in ((), ("--help",)):
        said = checkout.isobath(*words)
        assert said.code == 0
        for name in COMMANDS:
            assert name in said.out


@pytest.mark.parametrize("name", COMMANDS)
def test_every_subcommand_has_help(checkout: Checkout, name: str) -> None:
    said = checkout.isobath(name, "--help")

    assert said.code == 0
    assert "Usage: isobath" in said.out


def test_the_version_is_said(checkout: Checkout) -> None:
    assert checkout.isobath("--version").out == "isobath 0.1.0\n"


def test_an_unknown_subcommand_is_wrong_use(checkout: Checkout) -> None:
    said = checkout.isobath("rum")

    assert said.code == 2
    assert "rum" in said.err


def test_keys_are_one_a_line_on_standard_output(checkout: Checkout) -> None:
    said = checkout.isobath("keys", "--scale", "8")

    assert (said.code, said.out, said.err) == (0, "3\n1\n2\n", "")


SMALL_COMMAND = "from isobath.cli.main import main; main(['keys', '--help'])"


@pytest.mark.parametrize(
    ("does", "heavy"),
    [
        (SMALL_COMMAND, {"numpy", "scipy", "duckdb", "altair", "jinja2"}),
        (
            "import isobath.cli.run_summary_text, isobath.kinds.race.kind, "
            "isobath.kinds.run.kind, isobath.kinds.profile.kind",
            {"scipy", "duckdb", "altair", "jinja2"},
        ),
        (
            "from isobath.stats.estimates import harmonic_mean_teps; "
            "from isobath.stats.intervals import estimate_interval; "
            "from isobath.stats.launches import median_of_launches; "
            "estimate_interval(harmonic_mean_teps([100] * 64, [1.0, 2.0] * 32)); "
            "median_of_launches([[1.0, 2.0]] * 5); median_of_launches([[1.0, 2.0] * 40])",
            {"scipy"},
        ),
    ],
)
def test_commands_do_not_import_what_they_do_not_need(does: str, heavy: set[str]) -> None:
    code = f"import sys; {does}; heavy = {heavy} & set(sys.modules); assert not heavy, heavy"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}

    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=False
    )

    assert done.returncode == 0, done.stderr


def raw(scale: int) -> bytes:
    n = 1 << scale
    pairs = [(k % n, k * 7 % n) for k in range(16 << scale)]
    return np.array(pairs, dtype="<i8").tobytes()


def test_raw_edges_go_to_a_file_or_to_standard_output(checkout: Checkout, tmp_path: Path) -> None:
    assert checkout.isobath("export", "--scale", "3", tmp_path / "e").code == 0
    assert (tmp_path / "e").read_bytes() == raw(3)
    done = subprocess.run(
        [sys.executable, "-m", "isobath", "export", "--scale", "3", "-"],
        capture_output=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
        check=False,
    )
    assert done.stderr == b""
    assert hashlib.sha256(done.stdout).digest() == hashlib.sha256(raw(3)).digest()


def test_a_reader_that_leaves_early_is_no_defect(checkout: Checkout) -> None:
    script = f"{sys.executable} -m isobath export --scale 14 - | head -c 16 >/dev/null"
    done = subprocess.run(
        ["bash", "-c", script + "; echo ${PIPESTATUS[0]}"],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
        check=False,
    )
    assert done.stdout == "141\n"
    assert done.stderr == ""


@pytest.mark.parametrize("suffix", ["mtx", "parquet"])
def test_formats_follow_the_name_and_may_hold_weights(
    checkout: Checkout, tmp_path: Path, suffix: str
) -> None:
    path = tmp_path / f"g.{suffix}"

    said = checkout.isobath("export", "--scale", "3", "--weighted", path)

    assert said.code == 0, said.err
    if suffix == "mtx":
        lines = path.read_text(encoding="ascii").splitlines()
        assert lines[0] == "%%MatrixMarket matrix coordinate real general"
        assert lines[1] == "8 8 128"
        assert lines[3] == "2 8 0.0078125"
    else:
        import duckdb

        found = duckdb.sql(f"SELECT count(*), sum(u), max(weight) FROM '{path}'")
        assert found is not None
        assert found.fetchall() == [(128, 448, 127 / 128)]


def test_weights_go_to_a_file_of_their_own(checkout: Checkout, tmp_path: Path) -> None:
    said = checkout.isobath("export", "--scale", "3", tmp_path / "e", "--weights", tmp_path / "w")

    assert said.code == 0
    assert np.fromfile(tmp_path / "w", dtype="<f4")[2] == np.float32(2 / 128)
    assert (tmp_path / "e").read_bytes() == raw(3)


def test_weights_are_written_alone_where_no_file_is_named(
    checkout: Checkout, tmp_path: Path
) -> None:
    expected = np.arange(128, dtype="<f4") / np.float32(128)
    before = set(tmp_path.iterdir())

    assert checkout.isobath("export", "--scale", "3", "--weights", tmp_path / "w").code == 0
    done = subprocess.run(
        [sys.executable, "-m", "isobath", "export", "--scale", "3", "--weights", "-"],
        capture_output=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
        check=False,
    )

    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout == expected.tobytes()
    assert (tmp_path / "w").read_bytes() == expected.tobytes()
    assert set(tmp_path.iterdir()) == before | {tmp_path / "w"}


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--scale", "3", "-", "--weights", "-"), "cannot both go to standard output"),
        (("--scale", "3", "e", "--weighted"), "raw edges hold no weights"),
        (("--scale", "3", "-", "--format", "parquet"), "Parquet cannot be streamed"),
        (("--scale", "3", "e", "--format", "xml"), "xml"),
        (("e",), "--scale"),
        (("--scale", "3"), "no file for the edges; name one, or write the weights alone"),
        (("--scale", "3", "--weighted", "--weights", "w"), "no file for the edges"),
        (("--scale", "3", "--format", "mtx", "--weights", "w"), "no file for the edges"),
    ],
)
def test_wrong_exports_are_refused(
    checkout: Checkout, words: tuple[str, ...], sentence: str
) -> None:
    said = checkout.isobath("export", *words)

    assert said.code == 2
    assert sentence in said.err


def test_a_plan_lists_scales_and_the_largest_that_fits(checkout: Checkout) -> None:
    said = checkout.isobath("plan", "--memory", "10GB", "--json")

    assert said.code == 0, said.err
    found = json.loads(said.out)
    fitting = [row["scale"] for row in found["scales"] if row["fits"]]
    assert found["largest_scale_that_fits"] == max(fitting)
    assert not found["scales"][-1]["fits"]
    assert found["available_bytes"] == 10**10
    assert all(row["seconds"] > 0 for row in found["scales"])
    assert found["scales"] == sorted(found["scales"], key=lambda row: row["peak_bytes"])


def test_a_plan_of_a_scale_that_does_not_fit_ends_with_8(checkout: Checkout) -> None:
    said = checkout.isobath("plan", "--scale", "30", "--memory", "10GB")

    assert said.code == 8
    assert "the largest scale that fits is" in said.err
    assert "no" in said.out
    assert checkout.isobath("plan", "--scale", "20", "--memory", "10GB").code == 0


def test_every_search_plan_is_planned_on_its_own_grid(checkout: Checkout) -> None:
    def planned(*words: str) -> dict[str, Any]:
        said = checkout.isobath("plan", "--scale", "20", "--ranks", "4", "--json", *words)
        assert said.code == 0, said.err
        found: dict[str, Any] = json.loads(said.out)
        return found

    assert planned()["grid"] == "4x1"
    assert planned("--plan", "simple")["grid"] == "1x4"
    two_dim = planned("--plan", "two-dim")
    assert two_dim["grid"] == "2x2"
    assert two_dim["scales"][0]["peak_bytes"] != planned()["scales"][0]["peak_bytes"]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--plan", "fast"), "--plan fast: choose one of replicated-csr,"),
        (("--plan", "simple", "--grid", "4x1"), "--grid 4x1 does not go with --plan simple"),
    ],
)
def test_a_plan_for_no_search_plan_is_refused(
    checkout: Checkout, words: tuple[str, ...], sentence: str
) -> None:
    said = checkout.isobath("plan", *words)

    assert said.code == 2
    assert sentence in said.err


def test_a_plan_refuses_what_one_rank_cannot_number(checkout: Checkout) -> None:
    words = ("plan", "--memory", "900TB", "--ranks", "1")

    said = checkout.isobath(*words, "--scale", "34")

    assert said.code == 8
    assert "take 9 ranks on a 3x3 grid or more" in said.err
    assert said.out.splitlines()[2].endswith("no")
    assert "largest scale that fits: 31" in checkout.isobath(*words).out


def test_several_machines_have_more_memory_and_no_times(checkout: Checkout) -> None:
    one = json.loads(checkout.isobath("plan", "--memory", "10GB", "--json").out)
    many = json.loads(checkout.isobath("plan", "--memory", "10GB", "--nodes", "16", "--json").out)

    assert many["available_bytes"] == 16 * 10**10
    assert many["ranks"] == 16 * one["ranks"]
    assert many["largest_scale_that_fits"] >= one["largest_scale_that_fits"] + 3
    assert "seconds" not in many["scales"][0]


@pytest.mark.parametrize(
    ("text", "size"),
    [("64GB", 64e9), ("32GiB", 32 << 30), ("4G", 4 << 30), ("1.5T", 3 << 39), ("100", 100)],
)
def test_sizes_of_memory(text: str, size: float) -> None:
    assert memory_of(text) == size


@pytest.mark.parametrize(
    "words",
    [
        ("plan", "--edgefactor", "4097"),
        ("plan", "--scale", "44"),
        ("plan", "--ranks", str(1 << 40)),
        ("plan", "--grid", "1x9999999999"),
        ("plan", "--memory", "1e400"),
        ("export", "--scale", "3", "--edgefactor", "4097", "-"),
        ("keys", "--scale", "3", "--edgefactor", "4097"),
    ],
)
def test_values_out_of_range_are_wrong_use(checkout: Checkout, words: tuple[str, ...]) -> None:
    said = checkout.isobath(*words)

    assert (said.code, said.out) == (2, "")


@pytest.mark.parametrize("scale", ["1", "12", "43"])
def test_the_largest_edgefactor_can_be_planned(checkout: Checkout, scale: str) -> None:
    words = ("plan", "--edgefactor", "4096", "--scale", scale, "--memory", "10GB")

    assert checkout.isobath(*words).code in (0, 8)


@pytest.mark.parametrize("text", ["", "GB", "many", "-3GB", "3XB", "inf", "nan", "1e400", "0",
                                  "1000000T"])  # fmt: skip
def test_what_is_no_size_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match=r"--memory .*is no "):
        memory_of(text)


def test_the_doctor_says_what_works(checkout: Checkout) -> None:
    said = checkout.isobath("doctor", "--json")

    found = {finding["name"]: finding for finding in json.loads(said.out)}
    assert found["quick run with fake"]["status"] == "good"
    assert found["mpi fake"]["status"] == "good"
    assert said.code == 0, said.out
    assert checkout.isobath("doctor", "--quick").code == 0
    assert "fake" in checkout.isobath("doctor", "--mpi").out


def test_what_the_doctor_says_keeps_to_a_narrow_terminal(
    checkout: Checkout, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAKE_DO", "violations")
    (whole, *_) = checkout.isobath("doctor", "--quick").out.splitlines()
    assert len(whole) > 40, "one line for other programs"

    for module in ("terminal", "doctor"):
        monkeypatch.setattr(f"isobath.cli.{module}.columns", lambda: 40)
    first, *rest = checkout.isobath("doctor", "--quick").out.splitlines()

    assert first.startswith("NO  quick run ")
    assert rest
    assert max(map(len, (first, *rest))) <= 40
    assert " ".join((first, *map(str.strip, rest))).startswith(whole)


def test_the_doctor_ends_with_3_where_something_does_not_work(
    checkout: Checkout, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAKE_DO", "violations")

    said = checkout.isobath("doctor", "--quick")

    assert said.code == 3
    assert said.out.startswith("NO  quick run")


def test_tests_need_a_test_build(checkout: Checkout) -> None:
    said = checkout.isobath("test", "--only", "engine")

    assert said.code == 3
    assert "no test build" in said.err
    assert checkout.isobath("test", "--only", "spelling").code == 2


def test_suites_are_added_up(checkout: Checkout, tmp_path: Path) -> None:
    build = tmp_path / "build"
    build.mkdir()
    (build / "CTestTestfile.cmake").write_text(
        'add_test(good "true")\nadd_test(bad "false")\nadd_test(absent "/nowhere/program")\n',
        encoding="utf-8",
    )
    state_file = checkout.prefix / ".isobath" / "state.json"
    state = json.loads(state_file.read_text(encoding="utf-8"))
    state["mpi"]["fake"]["test_build_dir"] = str(build)
    state_file.write_text(json.dumps(state), encoding="utf-8")

    said = checkout.isobath("test", "--only", "engine")

    assert said.code == 1
    assert "FAILED   engine, fake 5.0.2: bad" in said.out
    assert "1 passed, " in said.out
    assert "this machine cannot cover:" in said.out
    assert "Intel MPI" in said.out


def test_a_suite_that_dies_counts_as_failed(tmp_path: Path) -> None:
    junit = tmp_path / "junit.xml"
    junit.write_text(
        '<testsuite><testcase name="a"/><testcase name="b"><skipped/></testcase></testsuite>',
        encoding="utf-8",
    )

    assert results_of("s", 0, junit) == Results(1, (), ("s: b",))
    assert results_of("s", 3, junit).failed == ("s (status 3)",)
    assert results_of("s", 0, None).passed == 1
    assert results_of("s", 1, None).failed == ("s",)
    junit.write_text("<torn", encoding="utf-8")
    assert results_of("s", 1, junit).failed == ("s",)
