# SPDX-License-Identifier: Apache-2.0
"""Exceptions whose text is one sentence with its remedy, and the exit code each ends in."""

import enum


class ExitCode(enum.IntEnum):
    """Exit codes, shared with the engine (engine/base/error.hpp)."""

    DONE = 0
    VIOLATIONS = 1
    USAGE = 2
    ENVIRONMENT = 3
    INTERNAL = 4
    REGRESSION = 5
    INCONCLUSIVE = 6
    TIMEOUT = 7
    REFUSED = 8


class IsobathError(Exception):
    """An error a person can act on; the text says what is wrong and what to do."""

    exit_code = ExitCode.INTERNAL


class UsageError(IsobathError):
    """The caller asked for something that makes no sense."""

    exit_code = ExitCode.USAGE


class EnvironmentProblem(IsobathError):
    """The machine does not give what is needed: MPI, files, memory, a built engine."""

    exit_code = ExitCode.ENVIRONMENT


class StoppedError(EnvironmentProblem):
    """Who may ask for an end asked for it before there was anything to keep."""


class TimeoutProblem(IsobathError):
    """A limit on time ended what was waited for."""

    exit_code = ExitCode.TIMEOUT


class InternalError(IsobathError):
    """A fact that Isobath itself guarantees does not hold."""

    exit_code = ExitCode.INTERNAL


class RefusedError(IsobathError):
    """A run that would not fit this machine."""

    exit_code = ExitCode.REFUSED


class InconclusiveError(IsobathError):
    """Nothing can be said, whatever was measured."""

    exit_code = ExitCode.INCONCLUSIVE
