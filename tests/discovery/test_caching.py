"""The decisions of a private HTTP cache (RFC 9111), with an injected clock."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardwright.discovery.caching import Plan, StoredResponse, digested, fresh_until, plan, settle
from cardwright.errors import BadArgument

if TYPE_CHECKING:
    from cardwright.discovery.caching import Settled

T: Final = 1_794_304_800.0  # Tue, 10 Nov 2026 10:00:00 GMT
DATE: Final = ("Date", "Tue, 10 Nov 2026 10:00:00 GMT")
TAG: Final = ("ETag", '"tide-1"')

Pairs = tuple[tuple[str, str], ...]


def answered(*headers: tuple[str, str], status: int = 200, request_headers: Pairs = ()) -> Settled:
    return settle(
        None, request_headers=request_headers, status=status, headers=headers, requested_at=T, received_at=T
    )


def kept(*headers: tuple[str, str], status: int = 200, request_headers: Pairs = ()) -> StoredResponse:
    found = answered(*headers, status=status, request_headers=request_headers).stored
    assert found is not None
    return found


def renewed(before: StoredResponse, *headers: tuple[str, str], at: float = T + 100) -> Settled:
    return settle(before, status=304, headers=headers, requested_at=at, received_at=at)


def value(headers: Pairs, name: str) -> str | None:
    return next((found for key, found in headers if key == name), None)


# What to do for a request


def test_without_a_stored_response_the_url_is_fetched() -> None:
    assert plan(None, now=T) == Plan("fetch")


@pytest.mark.parametrize(("later", "action"), [(0, "use"), (59.9, "use"), (60, "revalidate")])
def test_a_response_is_fresh_until_its_max_age(later: float, action: str) -> None:
    assert plan(kept(("Cache-Control", "max-age=60"), TAG), now=T + later).action == action


def test_a_conditional_request_has_both_validators() -> None:
    modified = ("Last-Modified", "Mon, 09 Nov 2026 10:00:00 GMT")

    assert plan(kept(TAG, modified), now=T) == Plan(
        "revalidate", (("If-None-Match", TAG[1]), ("If-Modified-Since", modified[1]))
    )


def test_without_a_validator_there_is_no_condition() -> None:
    assert plan(kept(("Cache-Control", "max-age=1")), now=T + 2) == Plan("revalidate", ())


def test_the_age_header_counts() -> None:
    old = kept(("Cache-Control", "max-age=60"), ("Age", "50"), DATE)

    assert plan(old, now=T + 9).action == "use"
    assert plan(old, now=T + 10).action == "revalidate"


def test_the_response_delay_counts() -> None:
    slow = settle(
        None, status=200, headers=(("Cache-Control", "max-age=60"),), requested_at=T, received_at=T + 30
    ).stored

    assert plan(slow, now=T + 59).action == "use"
    assert plan(slow, now=T + 60).action == "revalidate"


@pytest.mark.parametrize(
    "directives",
    ["no-cache", "No-Cache, max-age=60", "max-age=0", "max-age=-1", "max-age=1.5", "max-age=six", "s-maxage=60", ""],
)  # fmt: skip
def test_a_no_cache_response_is_revalidated(directives: str) -> None:
    assert plan(kept(("Cache-Control", directives), TAG), now=T).action == "revalidate"


def test_a_response_with_other_vary_fields_does_not_match() -> None:
    found = kept(
        ("Cache-Control", "max-age=60"),
        ("Vary", "Accept, A2A-Version"),
        request_headers=(("Accept", "a, b"), ("X", "y")),
    )

    assert found.request_headers == (("accept", "a, b"),)
    assert plan(found, request_headers=(("accept", "a,b"), ("X", "z")), now=T).action == "use"
    assert plan(found, request_headers=(("Accept", "b"),), now=T).action == "fetch"
    assert (
        plan(found, request_headers=(*found.request_headers, ("A2A-Version", "1.0")), now=T).action == "fetch"
    )


def test_a_response_with_vary_star_is_revalidated() -> None:
    assert (
        plan(kept(("Cache-Control", "max-age=60"), ("Vary", "Accept, *"), TAG), now=T).action == "revalidate"
    )


@pytest.mark.parametrize(
    ("wanted", "action"),
    [
        ("max-age=0", "revalidate"),
        ("max-age=20", "revalidate"),
        ("max-age=40", "use"),
        ("min-fresh=30", "revalidate"),
        ("min-fresh=20", "use"),
        ("no-cache", "revalidate"),
        ("no-store", "fetch"),
        ("max-age=ten", "use"),
    ],
)
def test_the_cache_control_of_the_request_counts(wanted: str, action: str) -> None:
    found = kept(("Cache-Control", "max-age=60"), TAG)

    assert plan(found, request_headers=(("Cache-Control", wanted),), now=T + 30).action == action


@pytest.mark.parametrize(
    ("directive", "wanted", "action"),
    [
        ("max-age=60", "max-stale=10", "use"),
        ("max-age=60", "max-stale", "use"),
        ("max-age=60", "max-stale=9", "revalidate"),
        ("max-age=60, must-revalidate", "max-stale", "revalidate"),
        ("max-age=60, no-cache", "max-stale", "revalidate"),
    ],
)
def test_a_stale_response_is_used_when_both_sides_allow_it(directive: str, wanted: str, action: str) -> None:
    found = kept(("Cache-Control", directive), TAG)

    assert plan(found, request_headers=(("Cache-Control", wanted),), now=T + 70).action == action


def test_heuristic_freshness_is_used_only_where_allowed() -> None:
    found = kept(("Last-Modified", "Mon, 09 Nov 2026 10:00:00 GMT"), DATE)

    assert plan(found, now=T).action == "revalidate"
    assert plan(found, now=T + 8639, heuristic_seconds=86_400).action == "use"
    assert plan(found, now=T + 8640, heuristic_seconds=86_400).action == "revalidate"
    assert plan(found, now=T + 100, heuristic_seconds=100).action == "revalidate"


# What an answer comes to


@pytest.mark.parametrize(
    "directives",
    ["no-store", "max-age=60, No-Store", "no-store=1", "no-cache=a,no-store", 'max-age=9, x="no-store'],
)
def test_a_no_store_response_is_not_stored(directives: str) -> None:
    assert answered(("Cache-Control", directives), TAG).stored is None


def test_a_response_to_a_no_store_request_is_not_stored() -> None:
    assert (
        answered(("Cache-Control", "max-age=60"), request_headers=(("Cache-Control", "no-store"),)).stored
        is None
    )


@pytest.mark.parametrize("status", [206, 304, 103])
def test_a_partial_response_is_not_stored(status: int) -> None:
    assert answered(("Cache-Control", "max-age=60"), status=status).stored is None


def test_an_unknown_status_with_must_understand_is_not_stored() -> None:
    assert answered(("Cache-Control", "max-age=60, must-understand"), status=599).stored is None
    assert answered(("Cache-Control", "max-age=60, must-understand"), status=200).stored is not None


def test_connection_header_fields_are_not_stored() -> None:
    found = kept(
        ("Connection", "Close, x-hop"), ("X-Hop", "1"), ("Keep-Alive", "timeout=5"), ("A", "1"), ("a", "2")
    )

    assert found.headers == (("a", "1"), ("a", "2"))


def test_a_304_keeps_the_body_and_updates_the_header_fields() -> None:
    found = renewed(kept(("Cache-Control", "max-age=60"), TAG, ("X", "old")), ("X", "new"), TAG)

    assert found.stored is not None
    assert not found.modified
    assert (value(found.headers, "x"), value(found.headers, "cache-control")) == ("new", "max-age=60")
    assert (found.stored.status, found.stored.received_at) == (200, T + 100)
    assert plan(found.stored, now=T + 159).action == "use"


def test_a_304_without_age_and_date_drops_the_old_ones() -> None:
    found = renewed(kept(("Cache-Control", "max-age=60"), ("Age", "50"), DATE, TAG))

    assert found.stored is not None
    assert plan(found.stored, now=T + 159).action == "use"


def test_validators_stay_with_the_body_that_they_belong_to() -> None:
    first = kept(TAG, ("Last-Modified", "Mon, 09 Nov 2026 10:00:00 GMT"))
    found = renewed(first, ("ETag", '"tide-2"'), ("Last-Modified", DATE[1]))

    assert found.stored is not None
    assert plan(found.stored, now=T + 100).headers == plan(first, now=T).headers


def test_a_304_with_no_store_removes_the_stored_response() -> None:
    found = renewed(kept(("Cache-Control", "max-age=60"), TAG), ("Cache-Control", "no-store"))

    assert found.stored is None
    assert not found.modified
    assert value(found.headers, "etag") == TAG[1]


def test_a_new_response_replaces_the_stored_one() -> None:
    found = settle(kept(TAG), status=200, headers=(("ETag", '"tide-2"'),), requested_at=T, received_at=T)

    assert found.modified
    assert found.stored is not None
    assert value(found.stored.headers, "etag") == '"tide-2"'


def test_undigested_credentials_are_refused() -> None:
    request_headers = (("Authorization", "Bearer secret"),)

    with pytest.raises(BadArgument, match="digested") as refused:
        answered(request_headers=request_headers)
    assert "secret" not in str(refused.value)
    found = kept(("Vary", "Authorization"), request_headers=digested(request_headers, salt=b"salt"))
    assert value(found.request_headers, "authorization") == value(
        digested(request_headers, salt=b"salt"), "authorization"
    )
    assert digested(request_headers, salt=b"salt") != digested(request_headers, salt=b"another")
    assert "secret" not in repr(found)


# When a card is due again


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ((("Cache-Control", "max-age=600"),), 600),
        ((("Cache-Control", "max-age=600"), ("Expires", "Tue, 10 Nov 2026 12:00:00 GMT")), 600),
        ((("Cache-Control", "max-age=600"), ("Age", "100"), DATE), 500),
        ((("Cache-Control", "max-age=600"), ("Age", "1000"), DATE), 60),
        ((("Expires", "Tue, 10 Nov 2026 12:00:00 GMT"), DATE), 7200),
        ((("Expires", "Tue, 10 Nov 2026 12:00:00 GMT"),), 7200),
        ((("Expires", "0"),), 60),
        ((("Cache-Control", "max-age=1"),), 60),
        ((("Cache-Control", "no-cache"),), 60),
        ((("Cache-Control", "no-cache, max-age=600"),), 60),
        ((("Last-Modified", "Mon, 09 Nov 2020 10:00:00 GMT"),), 3600),
        ((("Cache-Control", "public"), ("Age", "100")), 3600),
        ((), 3600),
    ],
)
def test_a_card_is_refreshed_when_its_response_expires_or_after_an_hour(
    headers: Pairs, seconds: float
) -> None:
    assert fresh_until(kept(*headers)) == T + seconds


def test_the_ttl_override_wins_within_the_minimum() -> None:
    found = kept(("Cache-Control", "max-age=600, no-cache"))

    assert fresh_until(found, override_seconds=300) == T + 300
    assert fresh_until(found, override_seconds=1) == T + 60
    assert fresh_until(found, override_seconds=1, floor_seconds=0) == T + 1
    assert fresh_until(kept(), default_seconds=300) == T + 300


# Whatever the fields

TEXT: Final = st.one_of(
    st.text(max_size=40),
    st.lists(
        st.sampled_from(
            ["no-store", "no-cache", 'no-cache="a', "max-age=9", "max-age=" + "9" * 5000, "max-age", ",", '"', "\\", "=",
             "public", "private", "must-revalidate", "*", "accept", " ", "W/", '"a"', DATE[1], "99999", "٣"]
        ),
        max_size=6,
    ).map("".join),
)  # fmt: skip
NAMES: Final = st.sampled_from(
    ["Cache-Control", "cache-control", "Age", "Date", "Expires", "Last-Modified", "ETag", "Vary", "Connection", "Pragma", "X"]
)  # fmt: skip
FIELDS: Final = st.lists(st.tuples(NAMES, TEXT), max_size=6).map(tuple)
STATUSES: Final = st.sampled_from([200, 203, 204, 206, 301, 304, 404, 410, 500, 503, 599])


@given(FIELDS, FIELDS, FIELDS, STATUSES, STATUSES, st.floats(0, 1e6))
def test_no_header_field_raises_or_stores_a_no_store_response(
    first: Pairs, second: Pairs, request_headers: Pairs, status: int, status_2: int, later: float
) -> None:
    before: StoredResponse | None = None
    for headers, got in ((first, status), (second, status_2)):
        planned = plan(before, request_headers=request_headers, now=T + later)
        assert planned.action != "use" or before is not None
        found = settle(
            before if planned.action == "revalidate" else None,
            request_headers=request_headers,
            status=got,
            headers=headers,
            requested_at=T + later,
            received_at=T + later,
        )
        before = found.stored
        if before is not None:
            assert T + later + 60 <= fresh_until(before) <= T + later + 2**32
        directives = ",".join(
            text for name, text in (*headers, *request_headers) if name.lower() == "cache-control"
        ).lower()
        # A field that Connection lists is not for us.
        if "no-store" in directives and not any(name == "Connection" for name, _ in headers):
            assert before is None
        assert (
            plan(before, request_headers=request_headers, now=T + later).action != "use"
            or "no-store" not in directives
        )
