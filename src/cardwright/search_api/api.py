"""The requests and responses of the search API, without HTTP (ARD 0.91 §5.3)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from cardwright.canonical import Limits, decode
from cardwright.errors import MalformedDocument
from cardwright.search_api.filters import SearchError, read_expression, read_filter, values_of

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from cardwright.search_api.entry_index import EntryIndex

MAX_BODY: Final = 64 * 1024
_LIMITS: Final = Limits(max_bytes=MAX_BODY, max_depth=16, max_members=256, max_values=4_096)
MAX_TEXT: Final = 1_000
MAX_PAGE: Final = 100
_MAX_FACETS: Final = 16
# Explore reads every entry that matches (project decision).
MAX_EXPLORED: Final = 20_000
_FACETS: Final = ("type", "tags", "capabilities", "publisher", "version")
_ORDERS: Final = ("displayName", "displayName ASC", "displayName DESC", "identifier", "identifier ASC")
_MODES: Final = ("auto", "referrals", "none")


@dataclass(frozen=True, slots=True)
class SearchApi:
    """The search API over one index.

    Attributes:
        index: The index.
        source: The URL of this registry, the `source` of each result.
        referrals: The entries of other registries, for clients that ask for referrals.
    """

    index: EntryIndex
    source: str
    referrals: tuple[Mapping[str, str], ...] = ()

    def search(self, body: bytes) -> dict[str, Any]:
        """Return the response of `POST /search` (§5.3.2).

        Raises:
            SearchError: If the request is refused.
        """
        request = _object(_decoded(body), "", ("query", "federation", "pageSize", "pageToken"))
        query = _object(request.get("query"), "query", ("@context", "text", "filter"))
        text = _text(query.get("text"), "query.text")
        if not text.strip():
            raise SearchError("query.text: expected what the agent should be able to do")
        federation = request.get("federation", "auto")
        if federation not in _MODES:
            raise SearchError(f"federation: expected one of {', '.join(_MODES)}")
        page = self.index.search(
            text,
            read_filter(query.get("filter")),
            limit=_size(request.get("pageSize"), 10),
            token=_token(request.get("pageToken")),
        )
        answer: dict[str, Any] = {
            "results": [
                {**found.entry, "score": found.score, "source": self.source} for found in page.results
            ]
        }
        if federation == "referrals":
            answer["referrals"] = [dict(one) for one in self.referrals]
        return answer if page.token is None else {**answer, "pageToken": page.token}

    def explore(self, body: bytes) -> dict[str, Any]:
        """Return the response of `POST /explore` (§5.3.3): how often each value occurs among all matching entries.

        Raises:
            SearchError: If the request is refused, or more than 20,000 entries match.
        """
        request = _object(_decoded(body), "", ("query", "resultType"))
        query = _object(request.get("query", {}), "query", ("@context", "text", "filter"))
        text = _text(query.get("text", ""), "query.text")
        wanted = _object(request.get("resultType"), "resultType", ("facets",)).get("facets")
        if type(wanted) is not list or not 1 <= len(wanted) <= _MAX_FACETS:
            raise SearchError(f"resultType.facets: expected 1 to {_MAX_FACETS} facets")
        facets = [
            _object(one, f"resultType.facets[{i}]", ("field", "limit", "minCount"))
            for i, one in enumerate(wanted)
        ]
        counts = {_field(one.get("field")): Counter[str]() for one in facets}
        for number, entry in enumerate(self.index.matching(text, read_filter(query.get("filter")))):
            if number >= MAX_EXPLORED:
                raise SearchError(
                    f"more than {MAX_EXPLORED:,} entries match; give query.text or query.filter"
                )
            for field, counter in counts.items():
                counter.update(set(values_of(entry, field)))
        return {
            "resultType": "facets",
            "facets": {
                one["field"]: _buckets(
                    counts[one["field"]],
                    _size(one.get("limit"), 20, most=1_000),
                    _size(one.get("minCount"), 1, most=MAX_EXPLORED),
                )
                for one in facets
            },
        }

    def agents(self, parameters: Mapping[str, str]) -> dict[str, Any]:
        """Return the response of `GET /agents` (§5.3.4): all entries, page by page.

        Args:
            parameters: The query of the URL.

        Raises:
            SearchError: If the request is refused.
        """
        for name in parameters:
            if name not in ("filter", "orderBy", "pageSize", "pageToken"):
                raise SearchError(
                    f"{name[:100]!r} is not a parameter; known: filter, orderBy, pageSize, pageToken"
                )
        order = " ".join(parameters.get("orderBy", "identifier").split())
        if order not in _ORDERS:
            raise SearchError(f"orderBy: expected one of {', '.join(_ORDERS)}")
        size = parameters.get("pageSize", "20")
        entries, token, total = self.index.listed(
            read_expression(_text(parameters.get("filter", ""), "filter")),
            order=order,
            limit=_size(int(size) if size.isascii() and size.isdigit() and len(size) < 6 else size, 20),
            token=_token(parameters.get("pageToken")),
        )
        answer: dict[str, Any] = {"items": entries}
        if total is not None:
            answer["total"] = total
        return answer if token is None else {**answer, "pageToken": token}


def error_body(error: SearchError) -> dict[str, str]:
    """Return the body of an error response (ARD 0.91, Appendix B)."""
    return {"errorCode": error.code, "message": str(error)}


def _decoded(body: bytes) -> Any:
    try:
        return decode(body, _LIMITS)
    except MalformedDocument as error:
        raise SearchError(f"the body is not a readable JSON object: {error}") from None


def _object(value: Any, place: str, known: Collection[str]) -> dict[str, Any]:
    if type(value) is not dict:
        raise SearchError(f"{place or 'the body'}: expected an object with {', '.join(known)}")
    for name in value:
        if name not in known:
            where = f"{place}." if place else ""
            raise SearchError(f"{where}{name[:100]}: unknown field; known: {', '.join(known)}")
    return value


def _text(value: Any, place: str) -> str:
    if type(value) is not str or len(value) > MAX_TEXT:
        raise SearchError(f"{place}: expected a text of at most {MAX_TEXT:,} characters")
    return value


def _size(value: Any, default: int, *, most: int = MAX_PAGE) -> int:
    if value is None:
        return default
    if type(value) is not int or value < 1:
        raise SearchError(f"expected a number from 1 to {most:,}")
    return min(value, most)


def _token(value: Any) -> str | None:
    if value is None or value == "":
        return None
    if type(value) is not str or len(value) > 200:
        raise SearchError("pageToken: not a token of this registry; leave it out to start again")
    return value


def _field(value: Any) -> str:
    if value not in _FACETS:
        raise SearchError(f"resultType.facets: supported fields are {', '.join(_FACETS)}")
    return str(value)


def _buckets(counter: Counter[str], limit: int, least: int) -> dict[str, Any]:
    ordered = sorted(counter.items(), key=lambda item: (-item[1], item[0]))
    shown = [(value, count) for value, count in ordered[:limit] if count >= least]
    return {
        "buckets": [{"value": value, "count": count} for value, count in shown],
        "otherCount": counter.total() - sum(count for _, count in shown),
    }
