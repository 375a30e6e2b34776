# SPDX-License-Identifier: Apache-2.0
"""Pages as HTML: one file without any outside reference. All text is escaped."""

import jinja2
from markupsafe import Markup, escape

from isobath import __version__
from isobath.view import content
from isobath.view.content import Page


def page_html(page: Page) -> str:
    """The whole page as text. The same page gives the same text, letter for letter."""
    template = environment_of_templates().get_template("page.html")
    return template.render(
        page=page,
        sections=page.sections,
        labels=page.labels,
        doubts=page.doubts,
        version=__version__,
    )


def environment_of_templates() -> jinja2.Environment:
    """Where templates are found, and the tests and filters that they use."""
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("isobath.view"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.tests["kind"] = lambda block, name: type(block) is getattr(content, name)
    environment.filters["breakable"] = breakable
    return environment


def breakable(text: str) -> Markup:
    """Text whose long paths may be broken after a slash, not in the middle of a name."""
    return Markup(str(escape(text)).replace("/", "/<wbr>"))
