# SPDX-License-Identifier: Apache-2.0
"""The JSON Schema of what show --json prints of a study, generated from the models of all kinds."""

import json
from typing import Any

from pydantic.json_schema import models_json_schema

from isobath.records.described import Described
from isobath.study.findings import FINDINGS_SCHEMA
from isobath.study.kinds import KINDS


def findings_schema() -> dict[str, Any]:
    """JSON Schema (2020-12): one of the kinds."""
    models = list(dict.fromkeys(entry.load().findings for entry in KINDS))
    places, definitions = models_json_schema(
        [(model, "validation") for model in models], schema_generator=Described
    )
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Findings of an Isobath study, schema {FINDINGS_SCHEMA}",
        "oneOf": [places[model, "validation"] for model in models],
        **definitions,
    }


def schema_text() -> str:
    """The schema file, byte for byte."""
    return json.dumps(findings_schema(), indent=2) + "\n"
