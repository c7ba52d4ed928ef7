"""Comparators of protocol extensions, including the parameters of the Beach and MCP extensions.

The parameters of other extensions have no known meaning, so that a changed or removed one is assumed to be
breaking.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from cardwright.conversion import carried
from cardwright.conversion.extensions import MCP_URI
from cardwright.difference import beach, mcp
from cardwright.difference.comparators import Comparator, by, fields, flag, keyed, nothing, param, text
from cardwright.difference.pair import Pair, field
from cardwright.view.interfaces import BEACH_EXTENSION_URI

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright.difference.change import Change

_PARAMS: Final[dict[str, Comparator]] = {BEACH_EXTENSION_URI: beach.params, MCP_URI: mcp.params}


def _extension(pair: Pair) -> Iterator[Change]:
    params = _PARAMS.get(str(field(pair.new, "uri")), fields({}, param))
    compare = fields(
        {
            "uri": nothing,
            "description": text,
            "required": flag("extension-released", "extension-demanded"),
            "params": params,
        }
    )
    yield from compare(pair)


extensions: Final = keyed(
    _extension,
    by("uri"),
    # A value that is not a boolean may mean true.
    added=lambda extension: "extension-demanded" if field(extension, "required") else "extension-added",
    removed="extension-removed",
    skip=lambda extension: field(extension, "uri") == carried.URI,
)
"""The comparator of `capabilities.extensions`."""
