# SPDX-License-Identifier: Apache-2.0
"""The laboratory of the system tests, for what takes minutes."""

from pathlib import Path

import pytest

from system.laboratory import NOT_BUILT, Laboratory, built_libraries, make_laboratory


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Everything here is slow, marked or not."""
    for item in items:
        if item.path.is_relative_to(Path(__file__).parent):
            item.add_marker(pytest.mark.slow)


@pytest.fixture
def lab(tmp_path: Path) -> Laboratory:
    libraries = built_libraries()
    if not libraries:
        pytest.fail(NOT_BUILT)
    return make_laboratory(libraries[0], tmp_path / "lab")
