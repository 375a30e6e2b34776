# SPDX-License-Identifier: Apache-2.0
"""What holds for every test, whoever started them."""

import pytest

import patience
import signals

# Before anything is imported that asks: a shell's background job begins with SIGINT ignored, and
# what a test starts would inherit that.
signals.hear_as_in_a_terminal()

LONG = ("system", "profiler", "cli", "report", "predicted", "studies", "front_door")
"""Folders whose files take longest: they are dealt out first, so that all workers end together."""


def pytest_configure(config: pytest.Config) -> None:
    patience.of_a_test(float(config.getoption("timeout") or config.getini("timeout") or 0))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: item.path.parent.name not in LONG)
