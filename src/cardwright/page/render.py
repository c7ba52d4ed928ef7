"""From a template to bytes; and the policy that lets a browser follow nothing but our own style."""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final

from cardwright.page.links import pieces, published, web

if TYPE_CHECKING:
    from jinja2 import Environment

_STYLE: Final = files("cardwright.page").joinpath("templates", "style.css").read_text("utf-8").strip()
_STYLE_HASH: Final = base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()
# Stands in each page as well, for one that is saved: a policy there cannot speak of frames.
_IN_PAGE: Final = f"default-src 'none'; style-src 'sha256-{_STYLE_HASH}'; base-uri 'none'; form-action 'none'"
# A page with a search form asks where it came from, and nobody else.
_WITH_FORM: Final = _IN_PAGE.replace("form-action 'none'", "form-action 'self'")
# What every answer with a page sends as `Content-Security-Policy` (CSP Level 3); the second, with a form.
CONTENT_SECURITY_POLICY: Final = f"{_IN_PAGE}; frame-ancestors 'none'"
FORM_SECURITY_POLICY: Final = f"{_WITH_FORM}; frame-ancestors 'none'"


def rendered(template: str, *, package: str | None = None, with_form: bool = False, **context: Any) -> bytes:
    """Return a template as UTF-8 HTML.

    Args:
        template: The name of its file.
        package: A package with a folder `templates` of its own, looked in before this one's.
        with_form: Whether the page has a form.
        context: What the template shows.
    """
    from markupsafe import Markup

    # Our own file, and the only text that is not escaped.
    style = Markup(_STYLE)  # noqa: S704 - it is no card's text
    policy = _WITH_FORM if with_form else _IN_PAGE
    return _environment(package).get_template(template).render(context, style=style, policy=policy).encode()


@cache
def _environment(package: str | None) -> Environment:
    from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined

    packages = [package, "cardwright.page"] if package else ["cardwright.page"]

    made = Environment(
        loader=ChoiceLoader([PackageLoader(one) for one in packages]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    turns: dict[str, Any] = {"pieces": pieces, "published": published, "web": web}
    made.filters.update(turns)
    return made
