# SPDX-License-Identifier: Apache-2.0
"""A lock that hangs or fails is a sentence with the remedy: flock is replaced by a preload."""

import subprocess
import sys
from pathlib import Path

import pytest

from isobath.errors import EnvironmentProblem
from isobath.store.lock import is_locked, locked

SOURCE = """
#include <errno.h>
#include <sys/file.h>
#include <unistd.h>
int flock(int file, int how) {
  (void)file; (void)how;
  if (HANGS) pause();
  errno = ENOLCK;
  return -1;
}
"""

PROGRAM = """
import sys
from pathlib import Path
from isobath.errors import EnvironmentProblem
from isobath.store.lock import locked
try:
    with locked(Path(sys.argv[1]), "the benchmark some", answer_seconds=0.3):
        print("held")
except EnvironmentProblem as problem:
    print(problem)
"""


def test_one_program_at_a_time(tmp_path: Path) -> None:
    assert not is_locked(tmp_path)
    with locked(tmp_path, "the benchmark some"):
        assert is_locked(tmp_path)
        with (
            pytest.raises(EnvironmentProblem, match="the benchmark some is going on elsewhere"),
            locked(tmp_path, "the benchmark some"),
        ):
            pass
    assert not is_locked(tmp_path)
    with locked(tmp_path, "the benchmark some"):
        pass


@pytest.mark.parametrize(
    ("hangs", "sentence"),
    [(1, "does not answer: it took more than 0.3 s"), (0, "gives no locks (No locks available)")],
)
def test_a_lock_service_that_hangs_or_is_gone_ends_in_a_sentence(
    tmp_path: Path, hangs: int, sentence: str
) -> None:
    library = tmp_path / "flock.so"
    (tmp_path / "flock.c").write_text(SOURCE, encoding="utf-8")
    subprocess.run(
        [
            "cc",
            "-shared",
            "-fPIC",
            f"-DHANGS={hangs}",
            str(tmp_path / "flock.c"),
            "-o",
            str(library),
        ],
        check=True,
    )

    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(tmp_path)],
        env={"LD_PRELOAD": str(library), "PYTHONPATH": ":".join(sys.path)},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )

    assert sentence in done.stdout
    assert "--store DIR" in done.stdout
