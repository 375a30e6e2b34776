# SPDX-License-Identifier: Apache-2.0
"""Commands on a file system whose locks hang or are missing: a sentence, never a wait for ever."""

import json
import os
import subprocess
import sys
from pathlib import Path

from broken_locks import broken_locks
from cli.conftest import Checkout
from kind_table import TRIED, quick

REMEDY = "keep studies on a local disk (--store DIR), or ask who runs the file system"
WAITS = 300
"""Seconds; far more than a busy machine needs, far less than for ever."""


ALL_AT_ONCE = """
import json, os, signal, sys
from isobath.cli.main import main_and_exit
from isobath.study.kinds import KINDS

for entry in KINDS:  # once, for it is what takes long
    entry.load()
folder, waits, commands = sys.argv[1], int(sys.argv[2]), json.loads(sys.argv[3])
begun = []
for number, words in enumerate(commands):
    begun.append(os.fork())
    if not begun[-1]:
        signal.alarm(waits)
        for stream in (1, 2):
            os.dup2(os.open(f"{folder}/{number}-{stream}", os.O_CREAT | os.O_WRONLY), stream)
        sys.argv = ["isobath", *words]
        main_and_exit()
print(json.dumps([os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in begun]))
"""
"""Starts every command as a process of its own and prints their exit codes."""

Ended = tuple[int, str, str]
"""Exit code, standard output and standard error."""


def all_at_once(
    commands: dict[str, tuple[str, ...]], library: Path, said: Path
) -> dict[str, Ended]:
    """Args: library is preloaded; said is a folder for what they say."""
    said.mkdir()
    env = {
        **os.environ,
        "LD_PRELOAD": str(library),
        "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
    }
    words = [str(said), str(WAITS), json.dumps(list(commands.values()))]
    done = subprocess.run(
        [sys.executable, "-c", ALL_AT_ONCE, *words], env=env, check=True, stdout=subprocess.PIPE
    )
    codes = json.loads(done.stdout)
    return {
        name: (codes[k], (said / f"{k}-1").read_text("utf-8"), (said / f"{k}-2").read_text("utf-8"))
        for k, name in enumerate(commands)
    }


def contents(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_no_command_waits_for_a_lock_that_does_not_come(checkout: Checkout, tmp_path: Path) -> None:
    """All at once, for each waits for some seconds where they hang.

    What shows or draws a study does without locks; what changes one says why it cannot.
    """
    assert checkout.isobath(*quick("bench cg", checkout.prefix, once=True)).code == 0
    (study,) = (checkout.prefix / "studies").glob("*-cg-*")
    measuring = {kind: quick(kind, checkout.prefix) for kind in TRIED}
    changing = {
        "tag": ("tag", study.name, "july"),
        "untag": ("tag", study.name, "--remove", "july"),
        "remove": ("remove", study.name, "--yes"),
        "prune": ("prune", "--keep", "0", "--kind", "cg", "--yes"),
        "resume": ("resume", study.name),
    }
    looking = {
        "list": ("list",),
        "show": ("show", study.name),
        "tags": ("tag", study.name),
        "prune --dry-run": ("prune", "--keep", "0", "--kind", "cg", "--dry-run"),
    }
    before = sorted((checkout.prefix / "studies").iterdir())
    whole = contents(study)

    for hangs, why in (
        (True, "does not answer: it took more than 5 s"),
        (False, "gives no locks (No locks avail"),
    ):
        page = tmp_path / f"{hangs}.html"
        report = {"report": ("report", study.name, "-o", str(page))}
        library = broken_locks(tmp_path, hangs=hangs)
        ended = all_at_once(
            measuring | changing | looking | report, library, tmp_path / f"said-{hangs}"
        )

        for name in (*measuring, *changing):
            code, out, err = ended[name]
            assert code == 3, (name, out, err)
            assert why in err, name
            assert REMEDY in err, name
            assert "Traceback" not in err, name
        assert {name: ended[name][0] for name in looking} == dict.fromkeys(looking, 0), ended
        assert ended["report"][0] == 0, ended["report"]
        assert page.is_file()
        _, out, err = ended["list"]
        assert study.name in out
        assert why in err
        assert f"it is not known which studies are going on; {REMEDY}" in err
    assert contents(study) == whole
    left = {path for path in (checkout.prefix / "studies").iterdir() if path not in before}
    assert not [path for path in left if path.name.endswith(".partial")], "nothing is left behind"
    assert "tags.json" not in {path.name for path in left}
