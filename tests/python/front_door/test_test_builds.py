# SPDX-License-Identifier: Apache-2.0
"""Which tests of the engine are built under which MPI."""

from bootstrap_build import LAYERS_WITH_MPI, MPI_PROGRAMS, TEST_PROGRAMS
from bootstrap_build import test_flavour as flavour_of
from bootstrap_mpi import Library

WHEEL = Library("mpich-wheel", "mpich-wheel", "5.0.2", "mpicxx_abi", "mpiexec", True, "")


def options_of(kind: str, version: str) -> set[str]:
    library = Library(kind, kind, version, "", "", True, "")
    return set(flavour_of(library, WHEEL, all_tests=True, has_release=False).options)


def test_the_default_has_all_tests_under_the_sanitizers_three_and_six_ranks_apart() -> None:
    flavour = flavour_of(WHEEL, WHEEL, all_tests=False, has_release=False)

    assert (flavour.preset, flavour.targets) == ("asan", ())
    assert flavour.options == ("-DISOBATH_SLOW_TEST_RANKS=3;6",)


def test_beside_a_release_build_it_has_no_program_that_its_tests_do_not_start() -> None:
    flavour = flavour_of(WHEEL, WHEEL, all_tests=True, has_release=True)

    assert (flavour.preset, flavour.targets) == ("asan", TEST_PROGRAMS)


def test_others_have_every_number_of_ranks_and_old_mpich_two_alone() -> None:
    for kind, version in (("openmpi", "4.1.4"), ("mpich", "5.0.1"), ("intel", "2021.18")):
        assert not any("_RANKS=" in option for option in options_of(kind, version))
    old = options_of("mpich", "4.0.2")
    assert "-DISOBATH_TEST_RANKS=2" in old
    assert not any(option.startswith("-DISOBATH_SLOW") for option in old)


def test_others_test_communication_and_search_and_by_slow_whatever_depends_on_mpi() -> None:
    library = Library("openmpi", "openmpi", "4.1.4", "", "", True, "")

    quick = flavour_of(library, WHEEL, all_tests=False, has_release=False).options
    slow = flavour_of(library, WHEEL, all_tests=True, has_release=False).options

    assert "-DISOBATH_TEST_LAYERS=comm;bfs" in quick
    assert f"-DISOBATH_TEST_LAYERS={LAYERS_WITH_MPI}" in slow


def test_old_mpich_has_programs_alone_but_for_the_slow_tests() -> None:
    def targets_of(version: str, *, all_tests: bool) -> tuple[str, ...]:
        library = Library("mpich", "mpich", version, "", "", True, "")
        return flavour_of(library, WHEEL, all_tests=all_tests, has_release=False).targets

    assert targets_of("4.0.2", all_tests=False) == MPI_PROGRAMS
    assert targets_of("4.0.2", all_tests=True) == ()
    assert targets_of("5.0.1", all_tests=False) == (*TEST_PROGRAMS, *MPI_PROGRAMS)
    assert targets_of("5.0.1", all_tests=True) == ()
