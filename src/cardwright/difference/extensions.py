"""Protocol extensions, and what those say whose terms are known here: Beach and MCP.

Of any other extension, only the extension knows what its parameters mean, so that one which changes
or goes is taken as breaking.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from cardwright.conversion import carried
from cardwright.conversion.extensions import BEACH_EXTENSION_URI, MCP_URI
from cardwright.difference import beach, mcp
from cardwright.difference.comparators import (
    Comparator,
    Verdict,
    by,
    flag,
    keyed,
    members,
    nothing,
    param,
    text,
)
from cardwright.difference.pair import Pair, member

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright.difference.change import Change

_ADDED: Final = Verdict("extension-added", "minor", "one more extension, which callers need not follow")
_DEMANDED: Final = Verdict(
    "extension-demanded", "major", "callers that do not follow the extension are refused now"
)
_RELEASED: Final = Verdict("extension-released", "minor", "callers need not follow the extension any more")
_REMOVED: Final = Verdict("extension-removed", "major", "callers that use the extension find it no more")
_PARAMS: Final[dict[str, Comparator]] = {BEACH_EXTENSION_URI: beach.params, MCP_URI: mcp.params}


def _extension(pair: Pair) -> Iterator[Change]:
    params = _PARAMS.get(str(member(pair.new, "uri")), members({}, param))
    compare = members(
        {
            "uri": nothing,
            "description": text,
            "required": flag(_RELEASED, _DEMANDED),
            "params": params,
        }
    )
    yield from compare(pair)


extensions: Final = keyed(
    _extension,
    by("uri"),
    # What stands there but is no boolean may well mean yes.
    added=lambda extension: _DEMANDED if member(extension, "required") else _ADDED,
    removed=_REMOVED,
    skip=lambda extension: member(extension, "uri") == carried.URI,
)
"""The comparator of `capabilities.extensions`."""
