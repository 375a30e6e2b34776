# SPDX-License-Identifier: Apache-2.0
"""Which tests of the engine are built under which MPI."""

from bootstrap_build import test_flavour as flavour_of
from bootstrap_mpi import Library

WHEEL = Library("mpich-wheel", "mpich-wheel", "5.0.2", "mpicxx_abi", "mpiexec", True, "")


def options_of(kind: str, version: str) -> set[str]:
    return set(flavour_of(Library(kind, kind, version, "", "", True, ""), WHEEL).options)


def test_the_default_has_all_tests_under_the_sanitizers() -> None:
    flavour = flavour_of(WHEEL, WHEEL)

    assert (flavour.preset, flavour.options) == ("asan", ())


def test_others_have_what_depends_on_mpi_and_the_longest_ranks_apart() -> None:
    for kind, version in (("openmpi", "4.1.4"), ("mpich", "5.0.1"), ("intel", "2021.18")):
        assert "-DISOBATH_SLOW_TEST_RANKS=3;6" in options_of(kind, version)
    old = options_of("mpich", "4.0.2")
    assert "-DISOBATH_TEST_RANKS=2" in old
    assert not any(option.startswith("-DISOBATH_SLOW") for option in old)
