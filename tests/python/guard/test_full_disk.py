# SPDX-License-Identifier: Apache-2.0
"""The guard on a disk that is really full: nothing is lost, one sentence, exit code 3.

Where nobody may mount a file system of their own, files may not grow instead.
"""

import contextlib
import resource
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from guard_kills import COMMANDS, Checkout, Trial

from isobath.errors import ExitCode
from system.small_disk import filled, free_bytes, may_mount, small_disk

DISK_BYTES = 64 << 20
FILE_BYTES = 100
"""that a file may have where no disk can be made small: less than any entry of a baseline"""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Checkout:
    """A checkout with a baseline, beside the same baseline as others give it away."""
    here = Checkout(tmp_path_factory.mktemp("guard") / "made").prepare()
    assert here.isobath("baseline", "export", "mpi", here.prefix.parent / "theirs.jsonl") == 0
    return here


def said(here: Checkout, words: Sequence[object], file_bytes: int | None) -> tuple[int, str]:
    """Exit code and standard error."""

    def limited() -> None:
        if file_bytes is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (file_bytes, file_bytes))

    done = subprocess.run(
        [sys.executable, "-B", "-m", "isobath", *map(str, words)], env=here.environment(),
        cwd=here.prefix, capture_output=True, text=True, check=False, preexec_fn=limited,
    )  # fmt: skip
    assert "Traceback" not in done.stderr + done.stdout
    return done.returncode, done.stderr


def kept(here: Checkout) -> dict[str, bytes]:
    """Every file of the baseline."""
    folder = here.shelf.find("mpi").path
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.suffix == ".json"}


@contextlib.contextmanager
def on_a_disk(made: Checkout, folder: Path) -> Iterator[Checkout]:
    """A copy of the checkout alone on a disk of its own, where that can be had."""
    with contextlib.ExitStack() as stack:
        if may_mount(folder / "probe"):
            stack.enter_context(small_disk(folder / "disk", DISK_BYTES))
        else:
            (folder / "disk").mkdir()
        yield made.copy(folder / "disk" / "here")


def needed_bytes(made: Checkout, folder: Path, command: str) -> int:
    """What a command takes of a disk that has room."""
    folder.mkdir()
    with on_a_disk(made, folder) as here:
        before = free_bytes(here.prefix)
        code, err = said(here, words_of(here, made, command), None)
        assert code in (0, *here.codes), err
        return before - free_bytes(here.prefix)


def words_of(here: Checkout, made: Checkout, command: str) -> Sequence[object]:
    return Trial(here, made.prefix.parent / "theirs.jsonl").words(command)


@pytest.mark.parametrize("share", [pytest.param(0.0, marks=pytest.mark.slow), 0.5])
@pytest.mark.parametrize("command", COMMANDS)
def test_a_full_disk_loses_nothing_and_is_told_in_one_sentence(
    made: Checkout, tmp_path: Path, command: str, share: float
) -> None:
    """share is of what the command needs, so that it fails at its beginning and in its middle."""
    is_small = may_mount(tmp_path / "probe")
    left = int(share * needed_bytes(made, tmp_path / "whole", command)) if is_small and share else 0
    with on_a_disk(made, tmp_path) as here:
        trial = Trial(here, made.prefix.parent / "theirs.jsonl")
        before, entries = kept(here), here.entries()
        with filled(here.prefix.parent, left) if is_small else contextlib.nullcontext():
            code, err = said(here, trial.words(command), None if is_small else FILE_BYTES)
            told = [line for line in err.splitlines()
                    if "No space left on device" in line or "File too large" in line]  # fmt: skip
            assert (code, len(told)) == (ExitCode.ENVIRONMENT, 1), err
            assert told[0].startswith("isobath: ")
            assert "defect" not in err
            assert kept(here) == before, "the baseline is as it was"
            assert here.entries("theirs") == 0, "what is not whole counts as nothing"
        getattr(trial, f"after_{command}")(entries)  # there is room again: it can be done

    assert trial.faults == []


def test_files_that_may_not_grow_are_a_full_disk_too(
    made: Checkout, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As everywhere where nobody may mount: the same test, without a disk of its own."""
    monkeypatch.setattr(sys.modules[__name__], "may_mount", lambda _: False)

    test_a_full_disk_loses_nothing_and_is_told_in_one_sentence(made, tmp_path, "accept", 0.0)


@pytest.fixture(scope="module", autouse=True)
def _gone(made: Checkout) -> Iterator[None]:
    yield
    shutil.rmtree(made.prefix)
