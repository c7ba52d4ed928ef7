"""Rendering of templates, and the Content-Security-Policy that allows only the inline style sheet."""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final

from cardwright.outline.markup import spans
from cardwright.page.links import pieces, published, web

if TYPE_CHECKING:
    from jinja2 import Environment

_STYLE: Final = files("cardwright.page").joinpath("templates", "style.css").read_text("utf-8").strip()
_STYLE_HASH: Final = base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()
# Also in each page, for a page that is saved; a policy in a page cannot contain frame-ancestors.
_IN_PAGE: Final = f"default-src 'none'; style-src 'sha256-{_STYLE_HASH}'; base-uri 'none'; form-action 'none'"
# A page with a search form may send it only to its own origin.
_WITH_FORM: Final = _IN_PAGE.replace("form-action 'none'", "form-action 'self'")
# The `Content-Security-Policy` of a response with a page (CSP Level 3), without and with a form.
CONTENT_SECURITY_POLICY: Final = f"{_IN_PAGE}; frame-ancestors 'none'"
FORM_SECURITY_POLICY: Final = f"{_WITH_FORM}; frame-ancestors 'none'"


def rendered(template: str, *, package: str | None = None, with_form: bool = False, **context: Any) -> bytes:
    """Render a template as UTF-8 HTML.

    Args:
        template: Its file name.
        package: A package whose folder `templates` is searched before the one of this package.
        with_form: Whether the page has a form.
        context: The variables of the template.
    """
    from markupsafe import Markup

    # A file of this package, the only text that is not escaped.
    style = Markup(_STYLE)  # noqa: S704 - not text of a card
    policy = _WITH_FORM if with_form else _IN_PAGE
    return _environment(package).get_template(template).render(context, style=style, policy=policy).encode()


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
    filters: dict[str, Any] = {"pieces": pieces, "published": published, "spans": spans, "web": web}
    environment.filters.update(filters)
    return environment
