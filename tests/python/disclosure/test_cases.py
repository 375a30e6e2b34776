# SPDX-License-Identifier: Apache-2.0
"""The cases that both halves share; tests/engine/record/disclosure_test.cpp runs the same."""

import json
from pathlib import Path
from typing import Any

import pytest

from isobath.disclosure.credentials import is_credential_name, without_credentials
from isobath.disclosure.variables import stored_value
from isobath.disclosure.words import stored_words

CASES: dict[str, Any] = json.loads(
    (Path(__file__).parents[2] / "data" / "disclosure.json").read_text(encoding="utf-8")
)


@pytest.mark.parametrize("name", CASES["names"]["credentials"])
def test_names_of_credentials(name: str) -> None:
    assert is_credential_name(name)


@pytest.mark.parametrize("name", CASES["names"]["others"])
def test_names_of_anything_else(name: str) -> None:
    assert not is_credential_name(name)


@pytest.mark.parametrize(("name", "value", "stored"), CASES["variables"])
def test_variables(name: str, value: str, stored: str) -> None:
    assert stored_value(name, value) == stored


@pytest.mark.parametrize(("text", "stored"), CASES["texts"])
def test_texts(text: str, stored: str) -> None:
    assert without_credentials(text) == stored
    assert without_credentials(stored) == stored


@pytest.mark.parametrize(("text", "stored"), CASES["values"])
def test_values(text: str, stored: str) -> None:
    assert without_credentials(text, strict=True) == stored
    assert without_credentials(text) == text


@pytest.mark.parametrize(("words", "stored"), CASES["words"])
def test_words(words: list[str], stored: list[str]) -> None:
    assert list(stored_words(words)) == stored
    assert list(stored_words(stored)) == stored
