# SPDX-License-Identifier: Apache-2.0
"""JSON Schemas with the docstrings of fields as descriptions, read where a schema is written.

Pydantic can read them too, whenever a class is defined: that took every command 0.15 s.
"""

import ast
import inspect
import textwrap
from functools import cache
from itertools import pairwise

from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import core_schema


class Described(GenerateJsonSchema):
    """A property has the docstring below its field."""

    def model_schema(self, schema: core_schema.ModelSchema) -> JsonSchemaValue:
        """What Pydantic says of a model, and descriptions."""
        made = super().model_schema(schema)
        model: type[BaseModel] = schema["cls"]
        words = docstrings_of(model)
        for name, field in model.model_fields.items():
            told = made.get("properties", {}).get(field.alias or name)
            if told is not None and name in words:
                told.setdefault("description", words[name])
        return made


@cache
def docstrings_of(model: type[BaseModel]) -> dict[str, str]:
    """By field; of inherited ones, too. One that is defined anew has no words of before."""
    found: dict[str, str] = {}
    for one in reversed(model.__mro__):
        if issubclass(one, BaseModel) and one is not BaseModel:
            again = vars(one).get("__annotations__", {})
            found = {name: words for name, words in found.items() if name not in again}
            found |= _own_docstrings(one)
    return found


def _own_docstrings(model: type[BaseModel]) -> dict[str, str]:
    (tree,) = ast.parse(textwrap.dedent(inspect.getsource(model))).body
    assert isinstance(tree, ast.ClassDef)
    return {
        field.target.id: inspect.cleandoc(below.value.value)
        for field, below in pairwise(tree.body)
        if isinstance(field, ast.AnnAssign)
        and isinstance(field.target, ast.Name)
        and isinstance(below, ast.Expr)
        and isinstance(below.value, ast.Constant)
        and isinstance(below.value.value, str)
    }
