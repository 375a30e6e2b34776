# SPDX-License-Identifier: Apache-2.0
import doctest

from isobath.kinds.run import parts


def test_the_examples_hold() -> None:
    """Whom the calls of a phase reach together."""
    found = doctest.testmod(parts)

    assert found.attempted > 0
    assert found.failed == 0
