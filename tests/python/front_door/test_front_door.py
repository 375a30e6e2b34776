# SPDX-License-Identifier: Apache-2.0
"""The contract of ./isobath, one test per promise, on a small checkout without a network."""

import ast
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from front_door.small_checkout import ROOT, SmallCheckout, ranks_that_answered
from front_door.small_machine import abi_folder
from patience import patience


def tree(folder: Path) -> set[str]:
    """Everything below a folder, Python's caches apart."""
    found = {str(path.relative_to(folder)) for path in folder.rglob("*")}
    return {name for name in found if "__pycache__" not in name}


def test_standard_output_belongs_to_the_subcommand_even_in_the_very_first_command(
    ready: SmallCheckout,
) -> None:
    said = json.loads((ready.folder / "first-stdout.txt").read_text())

    assert said["words"] == ["export", "--scale", "10", "-"]
    assert said["python"] == str(ready.folder / ".venv")


def test_set_up_names_each_step_its_commands_and_its_log(ready: SmallCheckout) -> None:
    errors = (ready.folder / "first-stderr.txt").read_text()

    lines = errors.splitlines()
    assert lines[0].startswith(f"isobath: setting up in {ready.folder}")
    assert str(ready.folder / ".isobath" / "log") in lines[0]
    for step in ("private Python environment", "Python packages", "MPI mpich-wheel", "configuring"):
        assert any(step in line for line in lines), step
    assert sum(line.startswith("  $ ") for line in lines) >= 5
    assert lines[-1].startswith("isobath: set-up done in")
    assert any("mpiexec" in log.read_text() for log in ready.logs())


def test_the_engine_that_was_built_runs_under_its_own_launcher(ready: SmallCheckout) -> None:
    state = json.loads((ready.folder / ".isobath" / "state.json").read_text())
    library = state["mpi"][state["default_mpi"]]

    program = Path(library["build_dir"]) / "bin" / "isobath-small"
    done = subprocess.run(
        [library["mpiexec"], "-n", "2", program], capture_output=True, text=True, check=True
    )

    assert ranks_that_answered(done.stdout) == [
        "rank 0 of 2, threads true",
        "rank 1 of 2, threads true",
    ]
    assert library["healthy"] is True
    assert library["kind"] == "mpich-wheel"
    assert library["standard_abi"] is True
    assert "healthy = true" in (ready.folder / ".isobath" / "mpi.toml").read_text()


def test_the_first_line_comes_before_anything_slow(fresh: SmallCheckout, tmp_path: Path) -> None:
    slow = tmp_path / "programs"
    slow.mkdir()
    gate = tmp_path / "gate"
    for number in ("", *(f".{minor}" for minor in range(11, 16))):
        program = slow / f"python3{number}"
        program.write_text(f"#!/bin/sh\nwhile [ ! -e {gate} ]; do sleep 0.05; done\nexit 1\n")
        program.chmod(0o755)

    process = subprocess.Popen(
        [fresh.folder / "isobath", "run"],
        env=fresh.environment(PATH=f"{slow}:/usr/bin:/bin", ISOBATH_APT="0"),
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    first = process.stderr.readline()  # while every Python waits for the gate
    gate.touch()
    rest = process.stderr.read()
    process.stderr.close()
    process.wait()

    assert first.startswith("isobath: setting up in ")
    assert process.returncode == 3
    assert "no Python 3.11 or newer" in rest
    assert "remedy: install one, for example: apt-get install python3" in rest


def test_a_second_start_says_nothing_and_leaves_everything_alone(ready: SmallCheckout) -> None:
    assert ready.call("show").returncode == 0  # lets Python write its caches
    before = tree(ready.folder)
    written = (ready.folder / "build" / "mpich-wheel" / "build.ninja").stat().st_mtime_ns

    again = ready.call("run", "--scale", "8")

    assert again.returncode == 0
    assert again.stderr == ""
    assert json.loads(again.stdout)["words"] == ["run", "--scale", "8"]
    assert tree(ready.folder) == before
    assert (ready.folder / "build" / "mpich-wheel" / "build.ninja").stat().st_mtime_ns == written


@pytest.mark.parametrize(
    "words", [["run", "two words", "it's", '"quoted"', "", "*", "$HOME"], [], ["--help"]]
)
def test_words_reach_the_command_line_unchanged(ready: SmallCheckout, words: list[str]) -> None:
    assert json.loads(ready.call(*words).stdout)["words"] == words


def test_standard_input_and_exit_status_pass_through(ready: SmallCheckout) -> None:
    assert ready.call("cat", stdin="an edge\n").stdout == "an edge\n"
    assert ready.call("fail", "7").returncode == 7


def test_it_works_from_any_folder_and_through_symbolic_links(
    ready: SmallCheckout, tmp_path: Path
) -> None:
    (tmp_path / "links").mkdir()
    (tmp_path / "links" / "near").symlink_to(ready.folder / "isobath")
    (tmp_path / "far").symlink_to("links/near")

    for command, folder in (("./far", tmp_path), ("far", tmp_path), (tmp_path / "far", Path("/"))):
        done = subprocess.run(
            [command, "show"],
            cwd=folder,
            env=ready.environment(PATH=f"{tmp_path}:{os.environ['PATH']}"),
            capture_output=True,
            text=True,
            check=True,
        )
        assert json.loads(done.stdout)["python"] == str(ready.folder / ".venv")
        assert done.stderr == ""


def test_foreign_python_settings_do_no_harm(ready: SmallCheckout, tmp_path: Path) -> None:
    (tmp_path / "json.py").write_text("raise RuntimeError('a foreign module')\n")
    (tmp_path / "isobath.py").write_text("raise RuntimeError('a foreign module')\n")

    done = ready.call("run", cwd=tmp_path, PYTHONPATH=str(tmp_path), PYTHONHOME="/nowhere")

    assert done.returncode == 0, done.stderr


def test_a_path_with_spaces_works(wheels: Path, tmp_path: Path) -> None:
    checkout = SmallCheckout(tmp_path / "a path" / "with two spaces", wheels)

    done = checkout.call("run")

    assert done.returncode == 0, done.stderr
    state = json.loads((checkout.folder / ".isobath" / "state.json").read_text())
    library = state["mpi"]["mpich-wheel"]
    assert library["healthy"] is True
    ranks = subprocess.run(
        [library["mpiexec"], "-n", "2", Path(library["build_dir"]) / "bin" / "isobath-small"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "rank 1 of 2" in ranks.stdout


def test_two_at_once_set_up_once(fresh: SmallCheckout) -> None:
    command = [str(fresh.folder / "isobath"), "run"]
    both = [
        subprocess.Popen(
            command,
            env=fresh.environment(),
            stderr=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(2)
    ]
    said = [process.communicate(timeout=patience()) for process in both]

    assert [process.returncode for process in both] == [0, 0], said
    errors = "".join(error for _, error in said)
    assert errors.count("private Python environment") == 1
    assert errors.count("configuring") == 1
    assert "waiting for the set-up that process" in errors
    assert not (fresh.folder / ".isobath" / "lock").exists()


def test_a_prefix_takes_everything_that_is_written(
    fresh: SmallCheckout, tmp_path: Path, wheels: Path
) -> None:
    before = tree(fresh.folder)
    elsewhere = tmp_path / "elsewhere"

    first = fresh.call("--prefix", str(elsewhere), "show", "--last")
    second = fresh.call("show", "--last", ISOBATH_PREFIX=str(elsewhere))

    for done in (first, second):
        assert done.returncode == 0, done.stderr
        said = json.loads(done.stdout)
        assert said["words"] == ["show", "--last"]
        assert said["settings"]["ISOBATH_PREFIX"] == str(elsewhere)
    assert second.stderr == ""
    assert (elsewhere / ".venv" / "bin" / "python").exists()
    assert tree(fresh.folder) == before


def test_clean_removes_what_set_up_made_and_keeps_what_people_made(fresh: SmallCheckout) -> None:
    (fresh.folder / "runs" / "a-run").mkdir(parents=True)
    assert fresh.call("show").returncode == 0
    leftover = fresh.folder / ".venv" / "leftover"
    leftover.touch()

    done = fresh.call("setup", "--clean")

    assert done.returncode == 0, done.stderr
    assert not leftover.exists()
    assert (fresh.folder / ".venv" / "bin" / "python").exists()
    assert (fresh.folder / "runs" / "a-run").is_dir()
    assert done.stdout == ""


def test_help_mistakes_and_style_build_nothing(fresh: SmallCheckout) -> None:
    for words in (["run", "--help"], ["frobnicate"], ["test", "--only", "style"]):
        done = fresh.call(*words)

        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout)["words"] == words
        assert not (fresh.folder / "build").exists()
        assert not (fresh.folder / ".isobath" / "state.json").exists()


def test_the_engine_tests_of_one_mpi_build_that_one_alone(fresh: SmallCheckout) -> None:
    done = fresh.call("test", "--only", "engine", "--mpi", "wheel")

    assert done.returncode == 0, done.stderr
    assert {path.name for path in (fresh.folder / "build").iterdir()} == {"mpich-wheel-test"}
    state = json.loads((fresh.folder / ".isobath" / "state.json").read_text())
    assert state["aliases"]["wheel"] == "mpich-wheel"


@pytest.mark.parametrize("word", ["nosuch", "/nowhere/mpicxx"])
def test_an_mpi_that_means_nothing_is_refused_at_once(fresh: SmallCheckout, word: str) -> None:
    by_option = fresh.call("run", "--mpi", word)
    by_setting = fresh.call("test", ISOBATH_MPI=word)

    for done in (by_option, by_setting):
        assert done.returncode == 2
        assert f"--mpi {word} is not known; known: default, wheel, system," in done.stderr
    assert not (fresh.folder / ".venv").exists()


@pytest.mark.parametrize(
    "words", [["--frobnicate"], ["--offline"], ["--offline", "/nowhere/at/all"]]
)
def test_setup_refuses_what_it_does_not_know(ready: SmallCheckout, words: list[str]) -> None:
    done = ready.call("setup", *words)

    assert done.returncode == 2
    assert words[0] in done.stderr


def test_a_changed_source_is_built_and_a_broken_one_is_said_in_three_lines(
    fresh: SmallCheckout,
) -> None:
    assert fresh.call("run").returncode == 0
    source = fresh.folder / "engine" / "small.cpp"
    source.write_text(source.read_text().replace("threads {}", "threads are {}"))
    changed = fresh.call("run")
    program = fresh.folder / "build" / "mpich-wheel" / "bin" / "isobath-small"
    source.write_text("int main() { return undeclared; }\n")
    broken = fresh.call("run")

    assert changed.returncode == 0, changed.stderr
    assert "building" in changed.stderr
    assert b"threads are {}" in program.read_bytes()
    assert broken.returncode == 3
    cause, remedy, log = broken.stderr.splitlines()[-3:]
    assert cause.startswith("isobath: the engine does not compile")
    assert "undeclared" in cause
    assert remedy.startswith("isobath: remedy: ")
    assert Path(log.removeprefix("isobath: log: ")).is_file()


def test_a_wrong_hash_is_refused_and_a_new_lock_is_installed(fresh: SmallCheckout) -> None:
    lock = fresh.folder / "requirements.lock"
    right = lock.read_text()
    lock.write_text("mpich==5.0.2 --hash=sha256:" + "0" * 64 + "\n")
    refused = fresh.call("show")
    lock.write_text(right)
    installed = fresh.call("show")
    lock.write_text("# another comment\n" + right)
    again = fresh.call("show")

    assert refused.returncode == 3
    assert "pip could not install requirements.lock" in refused.stderr
    assert "hash" in refused.stderr.lower()
    for done in (installed, again):
        assert done.returncode == 0
        assert "Python packages of requirements.lock" in done.stderr


def test_a_compiler_that_is_none_is_said_with_its_remedy(fresh: SmallCheckout) -> None:
    done = fresh.call("run", CXX="/nowhere/g++")

    assert done.returncode == 3
    cause, remedy, log = done.stderr.splitlines()[-3:]
    assert "no C++ compiler that is new enough" in cause
    assert "/nowhere/g++ is not a program" in cause
    assert "apt-get install g++" in remedy
    assert log.startswith("isobath: log: ")


def test_an_interrupted_set_up_goes_on_where_it_was(fresh: SmallCheckout) -> None:
    process = subprocess.Popen(
        [fresh.folder / "isobath", "run"],
        env=fresh.environment(),
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
    )
    assert process.stderr is not None
    for line in process.stderr:
        if "requirements.lock" in line:
            os.killpg(process.pid, signal.SIGKILL)
            break
    process.wait()
    process.stderr.close()

    done = fresh.call("run")

    assert done.returncode == 0, done.stderr
    assert "private Python environment" not in done.stderr
    assert "configuring" in done.stderr


def test_set_up_parses_on_python_3_9() -> None:
    files = sorted((ROOT / "tools").glob("bootstrap*.py"))

    assert len(files) >= 5
    for file in files:
        ast.parse(file.read_text(encoding="utf-8"), str(file), feature_version=(3, 9))


def test_the_shell_script_is_posix() -> None:
    text = (ROOT / "isobath").read_text(encoding="utf-8")

    assert text.startswith("#!/bin/sh\n")
    subprocess.run(["sh", "-n", ROOT / "isobath"], check=True)
    for word in ("[[", "function ", "local ", "$'", "<<<", "pipefail", "BASH"):
        assert word not in text


def test_set_up_uses_the_standard_library_alone() -> None:
    allowed = set(sys.stdlib_module_names)

    for file in sorted((ROOT / "tools").glob("bootstrap*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            names = [name.name for name in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and node.module:
                names = [node.module]
            for name in names:
                top = name.partition(".")[0]
                assert top in allowed or top.startswith("bootstrap_"), f"{file.name}: {name}"


def test_a_start_with_nothing_to_do_is_quick(ready: SmallCheckout) -> None:
    """Processor time, which a busy machine lengthens little: no compiler, pip or launcher."""
    ready.call("run")
    before = os.times()
    ready.call("run")
    after = os.times()

    used = (
        after.children_user - before.children_user + after.children_system - before.children_system
    )
    assert used < 2.0, "a start with nothing to do did something"


def test_libraries_of_the_standard_abi_share_one_engine(
    fresh: SmallCheckout, tmp_path: Path
) -> None:
    folder = abi_folder(tmp_path / "impi")

    done = fresh.call("setup", "--mpi", str(folder))

    assert done.returncode == 0, done.stderr
    assert f"MPI intel-abi 5.0.2 ({folder}, by the standard ABI): healthy" in done.stderr
    assert [path.name for path in (fresh.folder / "build").iterdir()] == ["mpich-wheel"]
    state = json.loads((fresh.folder / ".isobath" / "state.json").read_text())
    library = state["mpi"]["intel-abi"]
    assert library["build_dir"] == state["mpi"]["mpich-wheel"]["build_dir"]
    ran = subprocess.run(
        [library["mpiexec"], "-n", "2", Path(library["build_dir"]) / "bin" / "isobath-small"],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "LD_LIBRARY_PATH": ":".join(library["library_path"])},
    )
    assert len(ranks_that_answered(ran.stdout)) == 2

    again = fresh.call("race", "--mpi", "wheel,intel")
    assert again.returncode == 0
    assert "configuring" not in again.stderr
    aliases = json.loads((fresh.folder / ".isobath" / "state.json").read_text())["aliases"]
    assert aliases["intel"] == "intel-abi"
