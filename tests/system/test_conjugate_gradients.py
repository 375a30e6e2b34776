# SPDX-License-Identifier: Apache-2.0
"""isobath bench cg with the real engine, at tiny sizes: function, not times."""

import json

from isobath.kinds.cg.plan import PLAN, run_name
from isobath.study.folder import StudyFolder
from system.laboratory import Laboratory

SPARES_OLD_MPICH = True

WORDS = ("bench", "cg", "--elements", 24, "--iterations", 10, "--repetitions", 2, "--ranks", 2,
         "--no-petsc")  # fmt: skip


def test_every_way_to_make_progress_goes_the_same_way_as_plain_conjugate_gradients(
    every_lab: Laboratory,
) -> None:
    done = every_lab.isobath(*WORDS, "--launches", 2, "--progress", "library,tests,offload",
                             "--tests", "1,3")  # fmt: skip

    assert done.code == 0, done.err
    assert "2 ranks, 24 x 24 elements" in done.out
    assert "10 iterations in a solve" in done.out
    assert all(len(line) <= 80 for line in done.out.splitlines())
    path = max((every_lab.prefix / "studies").iterdir())
    bench = StudyFolder(path)
    for arm, launch in PLAN.read(bench).runs():
        sealed = bench.sealed(run_name(arm, launch))
        assert sealed is not None
        assert sealed.verify() == []
        assert sealed.summary().exit_code == 0

    again = every_lab.isobath("bench", "cg", "--of", path.name, "--json")

    (group,) = json.loads(again.out)["groups"]
    rows = {(row["method"], row["progress"], row["tests"]) for row in group["rows"]}
    assert {("cg", "blocking", 0), ("pipelined", "tests", 3), ("gropp", "offload", 0)} <= rows


def test_too_many_iterations_are_named(lab: Laboratory) -> None:
    done = lab.isobath(*WORDS[:3], 6, "--iterations", 500, "--ranks", 1, "--launches", 1,
                       "--no-petsc", "--progress", "none", "--no-report")  # fmt: skip

    assert done.code == 2
    assert "the residual came down to rounding after" in done.err
