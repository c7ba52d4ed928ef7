"""The query of a request, read strictly."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from urllib.parse import parse_qsl

from cardwright.http.problem import BAD_QUERY, refuse

if TYPE_CHECKING:
    from cardwright.http.request import Scope

_MOST_FIELDS: Final = 32


def fields_of(scope: Scope) -> list[tuple[str, str]]:
    """Return the names and values of a query, in their order.

    Raises:
        HttpError: If it has more than 32, or is no text.
    """
    query = bytes(scope.get("query_string", b"")).decode("latin-1")
    try:
        return parse_qsl(query, keep_blank_values=True, max_num_fields=_MOST_FIELDS)
    except ValueError:
        raise refuse(BAD_QUERY, f"the query has more than {_MOST_FIELDS} parameters") from None
