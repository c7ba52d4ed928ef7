"""Rendering of templates, and the Content-Security-Policy that allows only their style sheet and scripts."""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final

from cardwright.outline.markup import spans
from cardwright.page.links import pieces, published, web
from cardwright.page.source import highlighted

if TYPE_CHECKING:
    from jinja2 import Environment


def text_file(name: str, package: str = "cardwright.page") -> str:
    """Return a style sheet or a script of a package's templates."""
    return files(package).joinpath("templates", name).read_text("utf-8").strip()


def _hash(source: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(source.encode()).digest()).decode()}'"


def page_policy(*scripts: str) -> str:
    """Return the `Content-Security-Policy` in a page (CSP Level 3); forms may be sent only to the page's own origin.

    Args:
        scripts: The sources of the scripts of the page besides that of all pages; with any, the page may send requests
            to its own origin.
    """
    allowed = " ".join(map(_hash, (_SCRIPT, *scripts)))
    connect = "; connect-src 'self'" if scripts else ""
    return (
        f"default-src 'none'; style-src {_hash(_STYLE)}; script-src {allowed}{connect}"
        "; base-uri 'none'; form-action 'self'"
    )


def header_policy(*scripts: str) -> str:
    """Return the `Content-Security-Policy` of a response with a page; in a page it cannot have `frame-ancestors`."""
    return f"{page_policy(*scripts)}; frame-ancestors 'none'"


_STYLE: Final = text_file("style.css")
_SCRIPT: Final = text_file("page.js")
# Of every page without a script of its own.
CONTENT_SECURITY_POLICY: Final = header_policy()


def rendered(template: str, *, package: str | None = None, script: str = "", **context: Any) -> bytes:
    """Render a template as UTF-8 HTML.

    Args:
        template: Its file name.
        package: A package whose folder `templates` is searched before the one of this package.
        script: The source of the page's own script, for `header_policy`.
        context: The variables of the template.
    """
    from markupsafe import Markup

    scripts = (script,) if script else ()
    # Files of our packages, the only texts that are not escaped.
    style = Markup(_STYLE)  # noqa: S704 - not text of a card
    sources = [Markup(source) for source in (_SCRIPT, *scripts)]  # noqa: S704 - not text of a card
    context = {"home": None, "referrer": "no-referrer", **context}
    return (
        _environment(package)
        .get_template(template)
        .render(context, style=style, scripts=sources, policy=page_policy(*scripts))
        .encode()
    )


@cache
def _environment(package: str | None) -> Environment:
    from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined

    packages = [package, "cardwright.page"] if package else ["cardwright.page"]

    environment = Environment(
        loader=ChoiceLoader([PackageLoader(name) for name in packages]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    filters: dict[str, Any] = {
        "highlighted": highlighted,
        "pieces": pieces,
        "published": published,
        "spans": spans,
        "web": web,
    }
    environment.filters.update(filters)
    return environment
