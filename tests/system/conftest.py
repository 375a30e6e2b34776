# SPDX-License-Identifier: Apache-2.0
"""The real engine under every healthy MPI of this checkout."""

import pytest

from system.laboratory import (
    NOT_BUILT,
    RANKS,
    Laboratory,
    absent_libraries,
    built_libraries,
    is_old_mpich,
    make_laboratory,
    ranks_for,
)

SPARES_OLD_MPICH = "SPARES_OLD_MPICH"
"""A module that has this takes MPICH before version 5, of the family of the default, in --slow."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """``lab`` takes the default MPI, ``every_lab`` each one, ``ranks`` what that MPI can bear.

    An MPI that is not here has its tests too: they are left out by name.
    """
    libraries = built_libraries()
    if "ranks" in metafunc.fixturenames and "every_lab" in metafunc.fixturenames:
        cases = [(library.id, ranks) for library in libraries for ranks in ranks_for(library)]
        cases += [(name, ranks) for name in absent_libraries() for ranks in RANKS]
        names = [f"{name}-{ranks}" for name, ranks in cases] or ["none"]
        metafunc.parametrize(
            ("every_lab", "ranks"), cases or [("none", 1)], ids=names, indirect=["every_lab"]
        )
    elif "every_lab" in metafunc.fixturenames:
        spares = getattr(metafunc.module, SPARES_OLD_MPICH, False)
        here = [
            pytest.param(one.id, marks=[pytest.mark.slow] * (spares and is_old_mpich(one)))
            for one in libraries
        ]
        metafunc.parametrize("every_lab", [*here, *absent_libraries()] or ["none"], indirect=True)


@pytest.fixture(scope="session")
def laboratories(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Laboratory]:
    return {
        library.id: make_laboratory(library, tmp_path_factory.mktemp("lab") / library.id)
        for library in built_libraries()
    }


@pytest.fixture
def every_lab(request: pytest.FixtureRequest, laboratories: dict[str, Laboratory]) -> Laboratory:
    if request.param in absent_libraries():
        pytest.skip(absent_libraries()[request.param])
    if request.param not in laboratories:
        pytest.fail(NOT_BUILT)
    return laboratories[request.param]


@pytest.fixture
def lab(laboratories: dict[str, Laboratory]) -> Laboratory:
    if not laboratories:
        pytest.fail(NOT_BUILT)
    return next(iter(laboratories.values()))
