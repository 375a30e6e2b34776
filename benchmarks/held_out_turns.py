# SPDX-License-Identifier: Apache-2.0
"""On which processors cells are measured, and which of them side by side.

A cell of n nodes that has n processors disturbs no other one: cells are then begun as long as
processors are free, each on its own. With fewer processors they follow one another.
"""

import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.connection import wait
from multiprocessing.process import BaseProcess
from typing import TypeVar, cast

Item = TypeVar("Item")
_FORK = get_context("fork")


@contextmanager
def processors(number: int | None) -> Iterator[None]:
    """This process, and all that it starts, on the first processors that it has."""
    before = os.sched_getaffinity(0)
    try:
        os.sched_setaffinity(0, set(sorted(before)[:number]))
        yield
    finally:
        os.sched_setaffinity(0, before)


def has_own_processors(nodes: int) -> bool:
    """Whether this process has one for each of so many nodes."""
    return len(os.sched_getaffinity(0)) >= nodes


def side_by_side(
    items: Sequence[Item],
    nodes_of: Callable[[Item], int],
    measure: Callable[[Item], None],
    seconds: float,
) -> None:
    """Measures each item in a process of its own, on as many processors as it has nodes.

    Those of most nodes begin first, then what there are processors for. Nothing is begun after
    ``seconds``. Raises: RuntimeError where one failed, after what had begun has ended.
    """
    free = sorted(os.sched_getaffinity(0))
    left = sorted(items, key=nodes_of, reverse=True)
    ends = time.monotonic() + seconds
    at_work: dict[int, tuple[BaseProcess, list[int]]] = {}
    failed = 0
    while left or at_work:
        for item in [one for one in left if time.monotonic() < ends]:
            if (number := nodes_of(item)) <= len(free):
                own, free = free[:number], free[number:]
                process: BaseProcess = _FORK.Process(target=_on, args=(own, measure, item))
                process.start()
                at_work[process.sentinel] = process, own
                left.remove(item)
        if not at_work:
            break
        for sentinel in wait(list(at_work)):
            process, own = at_work.pop(cast(int, sentinel))
            process.join()
            failed += process.exitcode != 0
            free = sorted(free + own)
    if failed:
        raise RuntimeError(f"{failed} of those measured side by side failed; see above")


def _on(own: Sequence[int], measure: Callable[[Item], None], item: Item) -> None:
    os.sched_setaffinity(0, own)
    measure(item)
