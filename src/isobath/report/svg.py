# SPDX-License-Identifier: Apache-2.0
"""From a Vega-Lite specification to SVG that may stand inside a page.

The renderer's output is parsed and rebuilt from a short list of elements and attributes: whatever
text a chart carried, nothing but shapes and words comes out. Colours stay CSS variables, so one
drawing serves light, dark and paper. Sizes stand in the view box only: the page decides the width.
"""

import json
import math
import re
from typing import Any
from xml.etree import ElementTree

import vl_convert
from markupsafe import Markup

from isobath.report.wording import printable

_ELEMENTS = {"svg", "g", "path", "text", "tspan", "line", "rect"}

_ATTRIBUTES = {
    "d",
    "dx",
    "dy",
    "fill",
    "fill-opacity",
    "font-size",
    "font-weight",
    "height",
    "opacity",
    "stroke",
    "stroke-dasharray",
    "stroke-linecap",
    "stroke-opacity",
    "stroke-width",
    "text-anchor",
    "transform",
    "width",
    "x",
    "x1",
    "x2",
    "y",
    "y1",
    "y2",
}

_LONG_FRACTION = re.compile(r"(-?\d+\.\d{2})\d+")


def render(specification: dict[str, Any]) -> Markup:
    """The drawing of a Vega-Lite specification.

    Raises: ValueError when a number is NaN or infinite: a value that does not exist is left out.
    """
    refuse_non_finite(specification)
    text = json.dumps(_printable(specification), allow_nan=False)
    return clean(vl_convert.vegalite_to_svg(text))


def _printable(value: Any) -> Any:
    """The same without control characters: they are no XML, and the renderer dies of some."""
    if isinstance(value, str):
        return printable(value)
    if isinstance(value, dict):
        return {name: _printable(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_printable(item) for item in value]
    return value


def refuse_non_finite(value: Any, where: str = "chart") -> None:
    """Raises ValueError naming the place of the first NaN or infinity in nested dicts and lists."""
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError(f"{where} is {value}; a value that does not exist must be left out")
    if isinstance(value, dict):
        for name, item in value.items():
            refuse_non_finite(item, f"{where}.{name}")
    elif isinstance(value, list | tuple):
        for index, item in enumerate(value):
            refuse_non_finite(item, f"{where}[{index}]")


def clean(text: str) -> Markup:
    """Rebuilds SVG from known elements and attributes, without sizes, fonts, links and names."""
    source = ElementTree.fromstring(text)
    width, height = _view_box(source)
    root = ElementTree.Element(
        "svg",
        {
            "viewBox": f"0 0 {width:g} {height:g}",
            "style": f"max-width:{width:g}px",
            "aria-hidden": "true",
            "focusable": "false",
        },
    )
    for child in source:
        _copy(child, root)
    return Markup(ElementTree.tostring(root, encoding="unicode"))


def _view_box(source: ElementTree.Element) -> tuple[float, float]:
    _, _, width, height = (float(number) for number in source.attrib["viewBox"].split())
    return width, height


def _copy(source: ElementTree.Element, parent: ElementTree.Element) -> None:
    """Copies one element below ``parent``; groups that hold nothing visible are left out."""
    name = source.tag.rpartition("}")[2]
    if name not in _ELEMENTS or _is_hidden(source.attrib):
        return
    attributes = {
        key: _shorten(value) for key, value in source.attrib.items() if key in _ATTRIBUTES
    }
    if name == "path" and (not attributes.get("d") or not _is_painted(attributes)):
        return
    copy = ElementTree.SubElement(parent, name, attributes)
    copy.text = source.text
    for child in source:
        _copy(child, copy)
    if name == "g" and len(copy) == 0:
        parent.remove(copy)


def _is_hidden(attributes: dict[str, str]) -> bool:
    """The renderer keeps labels that would overlap others, and makes them transparent."""
    return attributes.get("display") == "none" or attributes.get("opacity") == "0"


def _is_painted(attributes: dict[str, str]) -> bool:
    """Backgrounds of groups come as paths without any paint of their own."""
    return any(
        attributes.get(key, "none") not in ("none", "transparent") for key in ("fill", "stroke")
    )


def _shorten(value: str) -> str:
    """Two decimals are a hundredth of a pixel."""
    return _LONG_FRACTION.sub(r"\1", value)
