# SPDX-License-Identifier: Apache-2.0
from dataclasses import replace

import pytest

from bench.made_up import measured_of
from isobath.bench import bare
from isobath.bench.design import BenchDesign
from isobath.bench.design_checks import check_algorithms
from isobath.bench.identity import Identities
from isobath.bench.measured import Measured
from isobath.bench.own import are_named, own_algorithms_of
from isobath.bench.plan import Cell
from isobath.bench.regret import regrets_of
from isobath.bench.reproducer import reproducer
from isobath.bench.rules import rule_files
from isobath.errors import UsageError
from records.examples import collective_record, launch_record

THERE = {"own_ring": ("allgather", "allgatherv"), "own_tree": ("bcast",)}


def test_they_are_those_of_the_collective_that_words_name() -> None:
    cell = Cell(collective="allgather", shape="2")

    assert are_named(["all", "own"])
    assert are_named(["own_ring"])
    assert not are_named(["all", "ring"])
    (by_name,) = own_algorithms_of(cell, ["own_ring", "own_tree"], THERE)
    assert own_algorithms_of(cell, ["own"], THERE) == (by_name,)
    assert own_algorithms_of(cell, ["all", "ring"], THERE) == ()
    told = cell.model_copy(update={"algorithm": by_name})
    assert told.for_program()["algorithm"] == "own_ring"
    assert told.words().endswith("own_ring")


def test_a_name_that_no_chosen_collective_has_is_refused() -> None:
    design = BenchDesign(collectives=("bcast",), algorithms=("own_ring",))

    with pytest.raises(
        UsageError, match="own_ring is none of these collectives; there are own_tree, "
    ):
        check_algorithms(design, ["hydra"], THERE)
    check_algorithms(replace(design, algorithms=("own_tree", "own")), ["hydra"], THERE)
    with pytest.raises(UsageError, match="own is none of these"):
        check_algorithms(replace(design, algorithms=("own",)), ["hydra"], {})


def with_own(seconds: float) -> Measured:
    """An allgather of the library in 8 us, and one's own beside it whose stacks were looked at."""
    measured = measured_of({("allgather", 8, ""): 8e-6, ("allgather", 8, "own_ring"): seconds})
    default, own = measured.cells
    (algorithm,) = own_algorithms_of(own.cell, ["own"], THERE)
    cell = own.cell.model_copy(update={"algorithm": algorithm})
    stack = {"stack_samples": 50, "stack_functions": {"MPIR_Allgather_intra_brucks": 45}}
    rows = tuple(row.model_copy(update=stack) for row in own.records)
    return replace(measured, cells=(default, replace(own, cell=cell, records=rows)))


def test_one_s_own_stands_beside_the_library_s_but_in_no_rule_file() -> None:
    measured = with_own(4e-6)

    (regret,) = regrets_of(measured)
    assert regret.best.choice == "own_ring"
    assert regret.loss == pytest.approx(1.0)
    assert rule_files(measured) == ()
    known = Identities(measured).of(measured.cells[1])
    assert (known.algorithm, known.source, known.contradicts) == ("own_ring", "own", False)


def test_of_the_programs_own_file_it_is_a_cell_of_its_own() -> None:
    """And not one more sample of the library's choice."""
    library = collective_record()
    own = library.model_copy(
        update={"call": "own_ring", "algorithm": "own_ring", "algorithm_source": "own", "order": 1}
    )

    measured = bare.measured_of([launch_record(), library, own], "by hand")

    assert [(cell.choice, len(cell.records)) for cell in measured.cells] == [
        ("default", 1),
        ("own_ring", 1),
    ]


def test_a_reproducer_says_that_it_calls_the_library_instead() -> None:
    text = reproducer(with_own(4e-6).cells[1], "a library")

    assert "there own_ring was called, here the library's function" in text
    assert "V_" not in text
