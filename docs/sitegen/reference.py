"""The reference pages: all of them as text, by their path below `docs/pages/reference`, which is not in git."""

from __future__ import annotations

from itertools import chain

from docs.sitegen.changes import change_pages
from docs.sitegen.command_line import command_pages
from docs.sitegen.dialects import dialect_pages
from docs.sitegen.error_codes import error_pages
from docs.sitegen.http_api import http_api_pages
from docs.sitegen.part_types import part_type_pages
from docs.sitegen.python_api import python_pages
from docs.sitegen.rules import rule_pages
from docs.sitegen.settings import settings_pages


def reference_pages() -> dict[str, str]:
    """Return the text of every reference page by its path below `docs/pages/reference`."""
    return dict(
        chain(
            rule_pages(),
            command_pages(),
            settings_pages(),
            http_api_pages(),
            python_pages(),
            dialect_pages(),
            error_pages(),
            part_type_pages(),
            change_pages(),
        )
    )
