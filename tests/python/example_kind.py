# SPDX-License-Identifier: Apache-2.0
"""The kind that docs/how-to/add-a-kind.md and tests add. Plainly made up: there is none."""

from isobath.study.kinds import KINDS

HYPHEN, UNDERSCORE, PLAIN = "sand-castle", "sand_castle", "sandcastle"
CLASS, CAPITALS = "SandCastle", "SAND_CASTLE"

SPELLINGS = (HYPHEN, UNDERSCORE, PLAIN, CLASS, CAPITALS)
"""of command and program, of modules and records, of package and ids, of classes, of constants"""

NAME = f"bench {HYPHEN}"


def refuse_a_kind_of_that_name(names: list[str] | None = None) -> None:
    """Raises: AssertionError where a kind has it, with what to do. Args: names are of all kinds."""
    words = [entry.name for entry in KINDS] if names is None else names

    assert NAME not in words, (
        f"{NAME} is the example of the how-to and of tests, and now a kind has its name: call the "
        "example something else in tests/python/example_kind.py and docs/how-to/add-a-kind.md"
    )
