# SPDX-License-Identifier: Apache-2.0
"""Commands on a file system whose locks hang or are missing: a sentence, never a wait for ever."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from broken_locks import broken_locks
from cli.conftest import Checkout
from kind_table import TRIED, quick

REMEDY = "keep studies on a local disk (--store DIR), or ask who runs the file system"
WAITS = 300
"""Seconds; far more than a busy machine needs, far less than for ever."""


@pytest.mark.parametrize("hangs", [True, False])
def test_no_command_waits_for_a_lock_that_does_not_come(
    checkout: Checkout, tmp_path: Path, hangs: bool
) -> None:
    """All at once, for each waits for some seconds where locks hang."""
    assert checkout.isobath(*quick("bench cg", checkout.prefix, once=True)).code == 0
    (study,) = (path.name for path in (checkout.prefix / "studies").glob("*-cg-*"))
    measuring = {kind: quick(kind, checkout.prefix) for kind in TRIED}
    looking = {"list": ("list",), "show": ("show", study)}
    library = broken_locks(tmp_path, hangs=hangs)
    env = {
        **os.environ,
        "LD_PRELOAD": str(library),
        "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
    }
    before = sorted((checkout.prefix / "studies").iterdir())

    begun = {
        name: subprocess.Popen(
            [sys.executable, "-m", "isobath", *words], env=env, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )
        for name, words in (*measuring.items(), *looking.items())
    }  # fmt: skip
    said = {name: process.communicate(timeout=WAITS) for name, process in begun.items()}

    why = "does not answer: it took more than 5 s" if hangs else "gives no locks (No locks avail"
    for name in measuring:
        assert begun[name].returncode == 3, (name, said[name])
        assert why in said[name][1], name
        assert REMEDY in said[name][1], name
        assert "Traceback" not in said[name][1], name
    assert [begun[name].returncode for name in looking] == [0, 0], said
    assert study in said["list"][0]
    assert why in said["list"][1]
    assert f"it is not known which studies are going on; {REMEDY}" in said["list"][1]
    left = {path for path in (checkout.prefix / "studies").iterdir() if path not in before}
    assert not [path for path in left if path.name.endswith(".partial")], "nothing is left behind"
