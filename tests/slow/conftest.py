# SPDX-License-Identifier: Apache-2.0
"""The laboratory of the system tests, for what takes minutes."""

from pathlib import Path

import pytest

from system.laboratory import NOT_BUILT, Laboratory, built_libraries, make_laboratory


@pytest.fixture
def lab(tmp_path: Path) -> Laboratory:
    libraries = built_libraries()
    if not libraries:
        pytest.fail(NOT_BUILT)
    return make_laboratory(libraries[0], tmp_path / "lab")
