# SPDX-License-Identifier: Apache-2.0
"""Tests that need a package of the system say which; without it they are left out by name.

A reason that begins with "left out: NAME; " is counted by ./isobath test, which fails where nothing
may be left out (ISOBATH_TEST_COMPLETE). What no package mends is skipped with any other reason.
"""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))

from bootstrap_test_packages import SystemPackage, found, missing, packages_of

ROOT = Path(__file__).resolve().parents[1]
PACKAGES: dict[str, SystemPackage] = {one.name: one for one in packages_of(ROOT)}
MISSING = {one.name: one for one in missing(PACKAGES.values())}


def left_out(name: str, cure: str = "") -> str:
    """The reason of a test that is left out."""
    return f"left out: {name}; {cure or PACKAGES[name].cure}"


def reason_without(*names: str) -> str:
    """Why a test that needs these packages cannot run; empty where it can."""
    for name in names:
        if name in MISSING:
            return left_out(name)
        if not PACKAGES[name].works_here:
            return f"{name} of this system does not work"
    return ""


def needs(*names: str) -> pytest.MarkDecorator:
    """Marks a test, or all of a file."""
    reason = reason_without(*names)
    return pytest.mark.skipif(bool(reason), reason=reason)


def require(*names: str) -> None:
    """The same inside a fixture."""
    reason = reason_without(*names)
    if reason:
        pytest.skip(reason)


def program_of(name: str) -> str:
    """The first program of a package that is here."""
    require(name)
    return found(PACKAGES[name].programs[0])
