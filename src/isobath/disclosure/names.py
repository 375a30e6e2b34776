# SPDX-License-Identifier: Apache-2.0
"""names.toml as Python has it; the engine has tables of the same file."""

import tomllib
from dataclasses import dataclass
from importlib import resources
from typing import Any


@dataclass(frozen=True)
class Names:
    """Everything that names.toml says."""

    variables: frozenset[str]
    """whose values are stored"""
    of_mpi: frozenset[str]
    """of these, the ones that MPI libraries and their transports read"""
    prefixes: tuple[str, ...]
    """of families of which other names are kept too, without values"""
    prefixes_of_mpi: tuple[str, ...]
    kernel_keys: frozenset[str]
    credential_parts: tuple[str, ...]
    credential_words: frozenset[str]
    harmless: frozenset[str]
    """names that look like those of credentials and are none"""
    begins: tuple[tuple[str, int], ...]
    """how values of credentials begin, and how many letters follow at least"""
    assigning_options: frozenset[str]
    setting_options: frozenset[str]
    parameter_options: frozenset[str]


def read_names(text: str) -> Names:
    """The contents of names.toml. Raises: KeyError, tomllib.TOMLDecodeError for another file."""
    raw = tomllib.loads(text)
    families = raw["family"]
    credential, options = raw["credential"], raw["options"]
    return Names(
        variables=frozenset(name for family in families for name in _names(family)),
        of_mpi=frozenset(
            name for family in families if family.get("of_mpi") for name in _names(family)
        ),
        prefixes=_prefixes(families, of_mpi=False),
        prefixes_of_mpi=_prefixes(families, of_mpi=True),
        kernel_keys=frozenset(raw["kernel"]["keys"].split()),
        credential_parts=tuple(credential["parts"]),
        credential_words=frozenset(credential["words"]),
        harmless=frozenset(credential["harmless"]),
        begins=tuple((prefix["begin"], prefix["least"]) for prefix in credential["prefix"]),
        assigning_options=frozenset(options["assigns"]),
        setting_options=frozenset(options["sets"]),
        parameter_options=frozenset(options["parameters"]),
    )


def _names(family: dict[str, Any]) -> list[str]:
    prefixes = (family["prefix"], *family.get("other_prefixes", ()))
    return [prefix + name for prefix in prefixes for name in family["names"].split()]


def _prefixes(families: list[dict[str, Any]], *, of_mpi: bool) -> tuple[str, ...]:
    prefixes = [
        prefix
        for family in families
        if family.get("names_others") and (family.get("of_mpi") or not of_mpi)
        for prefix in (family["prefix"], *family.get("other_prefixes", ()))
    ]
    return tuple(dict.fromkeys(prefixes))


NAMES = read_names(
    resources.files("isobath.disclosure").joinpath("names.toml").read_text(encoding="utf-8")
)
