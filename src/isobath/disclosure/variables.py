# SPDX-License-Identifier: Apache-2.0
"""Variables of the environment and words of the kernel's command line, as they are stored."""

from collections.abc import Mapping

from isobath.disclosure.credentials import LEFT_OUT, is_credential_name, without_credentials
from isobath.disclosure.names import NAMES


def stored_variables(environment: Mapping[str, str]) -> dict[str, str]:
    """Of all variables those that explain a performance, by name.

    Of others that the same libraries may read the name stands there with LEFT_OUT: that something
    was set is worth knowing.
    """
    return {
        name: stored_value(name, value)
        for name, value in sorted(environment.items())
        if name in NAMES.variables or name.startswith(NAMES.prefixes)
    }


def stored_value(name: str, value: str) -> str:
    """The value of a variable, or LEFT_OUT."""
    if name not in NAMES.variables or is_credential_name(name):
        return LEFT_OUT
    return value if without_credentials(value, strict=True) == value else LEFT_OUT


def stored_kernel_line(line: str) -> str:
    """The words of the kernel's command line that explain a performance, in their order."""
    kept = [word for word in line.split() if word.partition("=")[0] in NAMES.kernel_keys]
    return " ".join(word for word in kept if without_credentials(word, strict=True) == word)
