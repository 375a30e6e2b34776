# SPDX-License-Identifier: Apache-2.0
import json
from dataclasses import replace

import pytest

from bench.made_up import measured_of
from isobath.bench.facts import json_text
from isobath.bench.identity import Identities, Stacks, named_algorithm, stretches_of
from isobath.bench.measured import Measured, MeasuredCell
from isobath.bench.plan import Family

TIMES = {
    ("alltoall", 64, ""): 4e-6,
    ("alltoall", 64, "scattered"): 4e-6,
    ("alltoall", 64, "pairwise"): 5e-6,
}
SHARED = {"MPI_Alltoall": 100, "lib+0x1": 90}
STACKS = {
    "": {"lib+0x7": 80, "lib+0xa": 85},
    "scattered": {"lib+0xa": 80, "lib+0x1": 95},
    "pairwise": {"lib+0xb": 80, "lib+0xa": 1},
}


def with_stacks(
    measured: Measured, stacks: dict[str, dict[str, int]], *, version: str, source: str = "forced"
) -> Measured:
    """The same benchmark where the first launch looked at stacks."""

    def one_cell(one: MeasuredCell) -> MeasuredCell:
        name = one.cell.algorithm.name if one.cell.algorithm else ""
        told = {"algorithm_source": source if name else "unknown"}
        rows = [row.model_copy(update=told) for row in one.records]
        if name in stacks:
            seen = SHARED | stacks[name]
            rows[0] = rows[0].model_copy(update={"stack_samples": 100, "stack_functions": seen})
        arm = one.arm.model_copy(update={"version": version})
        return replace(one, arm=arm, records=tuple(rows))

    return replace(measured, cells=tuple(map(one_cell, measured.cells)))


def test_functions_of_one_forced_algorithm_name_the_choice_of_a_stripped_library() -> None:
    measured = with_stacks(measured_of(TIMES, ranks=4), STACKS, version="5.0.2")

    own, forced, _ = map(Identities(measured).of, measured.cells)

    assert (own.algorithm, own.source, own.confidence) == ("scattered", "stack", "medium")
    assert own.evidence.endswith("as the table says")
    assert (forced.algorithm, forced.source, forced.contradicts) == ("scattered", "forced", False)


def test_numbers_of_intel_are_named_by_the_stack_and_contradict_nothing() -> None:
    times = {("bcast", 64, "algorithm 1"): 4e-6}
    names = {"algorithm 1": {"MPIR_Bcast_intra_binomial": 90}}
    measured = with_stacks(measured_of(times, family="intel"), names, version="2021.19")

    found = Identities(measured).of(measured.cells[0])

    assert (found.algorithm, found.contradicts) == ("algorithm 1, binomial", False)


def test_mpich_has_an_algorithm_under_a_more_general_function() -> None:
    names = {"scattered": {"MPIR_Alltoall_intra_k_scattered": 90}}
    measured = with_stacks(measured_of(TIMES), names, version="4.3")

    found = Identities(measured).of(measured.cells[1])

    assert (found.algorithm, found.confidence, found.contradicts) == ("scattered", "high", False)


def test_one_forced_algorithm_alone_tells_nothing_of_the_choice() -> None:
    alone = {key: value for key, value in TIMES.items() if key[2] != "pairwise"}
    measured = with_stacks(measured_of(alone), STACKS, version="5.0.2")

    own = Identities(measured).of(measured.cells[0])

    assert (own.algorithm, own.source, own.confidence) == ("scattered", "table", "low")


def test_two_algorithms_on_the_stack_are_not_decided() -> None:
    both = STACKS | {"": {"lib+0xa": 50, "lib+0xb": 50}}
    measured = with_stacks(measured_of(TIMES), both, version="6.0")

    own = Identities(measured).of(measured.cells[0])

    assert (own.algorithm, own.source, own.confidence) == ("", "unknown", "none")


def test_a_forced_algorithm_that_did_not_run_is_said() -> None:
    names = {"pairwise": {"ompi_coll_base_alltoall_intra_bruck": 90}}
    measured = with_stacks(measured_of(TIMES, family="openmpi"), names, version="4.1.4")

    found = Identities(measured).of(measured.cells[2])

    assert found.contradicts
    assert (found.algorithm, found.source) == ("modified_bruck", "stack")
    assert "pairwise was asked for, but the stack names modified_bruck" in found.evidence


@pytest.mark.parametrize(
    ("collective", "function", "algorithm"),
    [
        ("bcast", "MPIR_Bcast_intra_binomial", "binomial"),
        ("alltoall", "MPIR_Alltoall_intra_scattered_impl", "scattered"),
        ("bcast", "ompi_coll_base_bcast_intra_bintree", "binary_tree"),
        ("bcast", "ompi_coll_base_bcast_intra_generic", None),
        ("allreduce", "ompi_coll_base_allreduce_intra_redscat_allgather", "rabenseifner"),
        ("allreduce", "ompi_coll_base_reduce_intra_binary", None),
        ("allgather", "ompi_coll_base_allgather_intra_two_procs", "two_proc"),
        ("allgather", "ompi_coll_base_allgather_intra_bruck", "bruck"),
        ("alltoallv", "ompi_coll_tuned_alltoallv_intra_do_this", None),
        ("alltoallv", "ompi_coll_base_alltoallv_intra_pairwise", "pairwise"),
        ("gatherv", "MPIR_Gatherv_allcomm_linear", "linear"),
        ("barrier", "MPIDI_POSIX_mpi_barrier_release_gather", "release_gather"),
        ("alltoall", "MPIR_Alltoall_intra_auto", None),
    ],
)
def test_names_of_functions_are_read_as_the_library_s_variables_have_them(
    collective: str, function: str, algorithm: str | None
) -> None:
    found = named_algorithm(collective, Stacks(100, {function: 60, "stray": 3}))

    assert found == algorithm
    assert named_algorithm(collective, Stacks(5, {function: 5})) is None


@pytest.mark.parametrize(
    ("family", "source", "confidence"),
    [("hydra", "unknown", "low"), ("openmpi", "forced", "medium")],
)
def test_how_far_a_variable_is_trusted(family: Family, source: str, confidence: str) -> None:
    measured = measured_of(TIMES, family=family)
    measured = with_stacks(measured, {}, version="3.0", source=source)

    found = Identities(measured).of(measured.cells[1])

    assert (found.source, found.confidence) == ("forced", confidence)


def test_json_has_every_cell_with_its_algorithm_and_how_it_is_known() -> None:
    measured = with_stacks(measured_of(TIMES, ranks=4), STACKS, version="5.0.2")

    told = json.loads(json_text(measured))

    own = next(one for one in told["cells"] if one["forced"] is None)
    assert (own["algorithm"], own["source"], own["confidence"]) == ("scattered", "stack", "medium")
    assert own["median_seconds"] == pytest.approx(4e-6)
    assert own["interval_seconds"][0] <= own["median_seconds"] <= own["interval_seconds"][1]


def test_neighbouring_sizes_with_the_same_algorithm_are_one_line() -> None:
    times = {("alltoall", 1 << power, ""): 1e-6 for power in range(20)}
    measured = with_stacks(measured_of(times, ranks=8), {}, version="5.0.2")

    found = [(one.sizes, one.identity.algorithm) for one in stretches_of(measured)]

    assert found == [
        ("1 B to 256 B", "brucks"),
        ("512 B to 32 KiB", "scattered"),
        ("64 KiB to 512 KiB", "pairwise"),
    ]
