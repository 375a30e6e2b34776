# SPDX-License-Identifier: Apache-2.0
"""Whole documents: a command is one in whatever form a document holds it."""

import json
from typing import Any

import pytest

from isobath.disclosure.documents import Cleaner
from isobath.disclosure.variables import stored_variables

WORDS = ["mpiexec", "-n", "2", "./program", "--token", "abc"]
STORED = [*WORDS[:-1], "[left out]"]


def asked(value: Any) -> dict[str, Any]:
    return {"settings": {"command": {"value": value, "origin": "--"}}}


@pytest.mark.parametrize(
    ("document", "stored"),
    [
        ({"command": WORDS}, {"command": STORED}),
        ({"argv": " ".join(WORDS)}, {"argv": " ".join(STORED)}),
        (asked(WORDS), asked(STORED)),
        (asked(" ".join(WORDS)), asked(" ".join(STORED))),
        (
            {"tags": {"value": ["q3zx81bnw05kd72mfy94cjh6tpl0avs3", "b"], "origin": "default"}},
            {"tags": {"value": ["[left out]", "b"], "origin": "default"}},
        ),
    ],
)
def test_a_command_is_cleaned_wherever_it_stands(document: Any, stored: Any) -> None:
    assert json.loads(Cleaner().json_text(json.dumps(document))) == stored


def test_a_command_in_a_variable_is_not_stored() -> None:
    variables = {"ISOBATH_PROFILE_COMMAND": " ".join(WORDS)}

    assert stored_variables(variables) == {"ISOBATH_PROFILE_COMMAND": "[left out]"}
