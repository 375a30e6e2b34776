# SPDX-License-Identifier: Apache-2.0
"""What holds for every test, whoever started them."""

import pytest

import patience
import signals

# Before anything is imported that asks: a shell's background job begins with SIGINT ignored, and
# what a test starts would inherit that.
signals.hear_as_in_a_terminal()


def pytest_configure(config: pytest.Config) -> None:
    patience.of_a_test(float(config.getoption("timeout") or config.getini("timeout") or 0))
