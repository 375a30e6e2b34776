# SPDX-License-Identifier: Apache-2.0
"""Settings of all Python tests."""

from collections.abc import Callable, Iterator
from functools import lru_cache

import hypothesis
import pytest
import vl_convert

from isobath.launch import edge_program, serial_program, supervised

# Machines that test are busy: no test fails because of its time.
hypothesis.settings.register_profile("isobath", deadline=None)
hypothesis.settings.load_profile("isobath")


@pytest.fixture(autouse=True)
def start_without_a_copy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Programs that a test starts in its own process are not told to end with it.

    What tells them is a function between fork and exec, for which the kernel copies page tables, of
    a process that tests hundreds of megabytes. Laboratories that are killed are processes of their
    own (cli/test_killed_laboratory.py, tests/system), to which this does not reach.
    """
    for module in (edge_program, serial_program, supervised):
        monkeypatch.setattr(module, "end_with_parent", lambda: None)


@pytest.fixture(scope="session", autouse=True)
def forget_pictures() -> Iterator[Callable[[], None]]:
    """Pages of samples have the same pictures again and again: each is rendered once.

    Returns what makes the renderer forget them, for what is to be rendered twice.
    """
    rendered = lru_cache(maxsize=1024)(vl_convert.vegalite_to_svg)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(vl_convert, "vegalite_to_svg", rendered)
        yield rendered.cache_clear
