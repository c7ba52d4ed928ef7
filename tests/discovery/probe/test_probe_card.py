"""Probe checks of the card itself: its paths, format, caching and versions; each passed and failed."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.discovery.probe.agents import (
    JSON,
    PLACES,
    Agent,
    card,
    faults,
    interface,
    older,
    outcomes,
    probed,
    results_of,
    served,
)
from tests.peers import RecordedRequest, Reply

if TYPE_CHECKING:
    from collections.abc import Callable

NOTHING = Reply(404, b"nothing here")


def at(
    place: str, reply: Callable[[RecordedRequest], Reply | None]
) -> Callable[[RecordedRequest], Reply | None]:
    """Lie at one place alone."""
    return lambda request: reply(request) if request.path == place else None


def without(*names: str) -> Callable[[RecordedRequest], Reply | None]:
    """Leave fields out of the header of the card."""

    def override(request: RecordedRequest) -> Reply | None:
        if request.path not in PLACES:
            return None
        reply = served(body_for(request), request)
        kept = {name: value for name, value in reply.headers.items() if name not in names}
        return Reply(reply.status, reply.body, kept)

    return override


def body_for(request: RecordedRequest, **changes: Any) -> bytes:
    return json.dumps(card(f"https://{request.headers['host']}", **changes)).encode()


def test_an_agent_that_matches_its_card_has_no_fault() -> None:
    report = probed()

    assert faults(report) == []
    assert (report.true, report.complete) == (True, True)


def test_a_missing_legacy_path_is_reported_and_no_fault() -> None:
    report = probed(Agent(override=at(PLACES[1], lambda _: NOTHING)))

    assert faults(report) == []
    assert results_of(report, "probe/card-place-older") == [("info", "no card there: HTTP 404")]


def test_a_card_at_the_legacy_path_only_is_a_warning() -> None:
    report = probed(Agent(override=at(PLACES[0], lambda _: NOTHING)))

    assert ("warning", "probe/card-place") in faults(report)
    assert report.true


def test_different_cards_at_two_paths_are_an_error() -> None:
    override = at(PLACES[1], lambda request: served(body_for(request, version="1.0.0"), request))

    assert faults(probed(Agent(override=override))) == [("error", "probe/card-same")]


def test_the_older_form_of_the_same_card_is_no_fault() -> None:
    def override(request: RecordedRequest) -> Reply:
        return served(json.dumps(older(f"https://{request.headers['host']}")).encode(), request)

    report = probed(Agent(override=at(PLACES[1], override)))

    assert faults(report) == []
    assert outcomes(report, "probe/card-same") == ["info"]


def test_another_card_at_the_root_is_reported_and_no_fault() -> None:
    def override(request: RecordedRequest) -> Reply | None:
        if request.path.startswith("/mill/.well-known/"):
            return served(body_for(request, name="Mill"), request)
        return None

    report = probed(Agent(override=override), path="/mill")

    assert faults(report) == []
    assert outcomes(report, "probe/card-same") == ["pass", "info", "info"]


def test_a_direct_card_url_is_the_only_request() -> None:
    agent = Agent()

    report = probed(agent, path=PLACES[1])

    assert PLACES[0] not in {request.path for request in agent.requests}
    assert outcomes(report, "probe/card-place") == ["info"]


def test_an_invalid_card_is_an_error_and_its_agent_is_still_checked() -> None:
    def document(origin: str) -> dict[str, Any]:
        return {name: value for name, value in card(origin).items() if name != "description"}

    report = probed(Agent(document))

    assert faults(report) == [("error", "probe/card-valid")]
    assert outcomes(report, "probe/interface-version") == ["pass"]


def test_a_document_that_is_no_card_is_an_error_and_ends_the_probe() -> None:
    override = {place: Reply(200, b'{"hello": 1}', JSON) for place in PLACES}

    report = probed(Agent(override=lambda request: override.get(request.path)))

    assert ("error", "probe/card-valid") in faults(report)
    assert report.card is None
    assert not [check for check in report.checks if check.section == "interfaces"]


def test_a_card_as_plain_text_is_a_warning() -> None:
    def override(request: RecordedRequest) -> Reply | None:
        reply = served(body_for(request), request)
        return Reply(reply.status, reply.body, {**reply.headers, "Content-Type": "text/plain"})

    assert faults(
        probed(Agent(override=lambda request: override(request) if request.path in PLACES else None))
    ) == [("warning", "probe/card-type")]


def changing(*, tag: str) -> Callable[[RecordedRequest], Reply | None]:
    """Serve bytes that are never twice the same."""
    count = iter(range(1000))

    def override(request: RecordedRequest) -> Reply | None:
        if request.path not in PLACES:
            return None
        if request.headers.get("if-none-match") == tag:
            return Reply(304, b"", {"ETag": tag})
        body = body_for(request) + b" " * next(count)
        return Reply(200, body, {**JSON, "Cache-Control": "max-age=1", "ETag": tag})

    return override


def test_different_bytes_with_one_strong_etag_are_an_error() -> None:
    report = probed(Agent(override=changing(tag='"one"')))

    assert ("error", "probe/card-stable") in faults(report)


def test_different_bytes_with_one_weak_etag_are_a_warning() -> None:
    report = probed(Agent(override=changing(tag='W/"one"')))

    assert report.true
    assert ("warning", "probe/card-stable") in faults(report)
    # Whether the response depends on the version is unknown then.
    assert outcomes(report, "probe/vary") == ["skip"]


@pytest.mark.parametrize(("name", "rule"), [("Cache-Control", "probe/cache-control"), ("ETag", "probe/etag")])
def test_a_missing_caching_header_is_a_warning(name: str, rule: str) -> None:
    assert faults(probed(Agent(override=without(name)))) == [("warning", rule)]


def test_an_unquoted_etag_is_an_error() -> None:
    def override(request: RecordedRequest) -> Reply | None:
        if request.path not in PLACES:
            return None
        fields = {**JSON, "Cache-Control": "max-age=1", "ETag": "abc"}
        return (
            Reply(304, b"", fields)
            if "if-none-match" in request.headers
            else Reply(200, body_for(request), fields)
        )

    assert ("error", "probe/etag") in faults(probed(Agent(override=override)))


def test_an_etag_that_never_gives_304_is_a_warning() -> None:
    def override(request: RecordedRequest) -> Reply | None:
        if request.path not in PLACES or "if-none-match" not in request.headers:
            return None
        return served(
            body_for(request), RecordedRequest("GET", request.path, {"host": request.headers["host"]})
        )

    assert faults(probed(Agent(override=override))) == [("warning", "probe/not-modified")]


def test_a_304_for_an_unknown_etag_is_an_error() -> None:
    def override(request: RecordedRequest) -> Reply | None:
        return Reply(304) if "if-none-match" in request.headers else None

    assert faults(probed(Agent(override=override))) == [("error", "probe/other-tag")]


def test_a_refused_head_is_a_warning() -> None:
    override = Reply(405, b"", {"Allow": "GET"})

    report = probed(Agent(override=lambda request: override if request.method == "HEAD" else None))

    assert faults(report) == [("warning", "probe/head")]
    assert results_of(report, "probe/head") == [("warning", "GET gives HTTP 200, HEAD gives HTTP 405")]


def test_a_head_that_differs_says_in_which_fields() -> None:
    def override(request: RecordedRequest) -> Reply | None:
        reply = served(body_for(request), request)
        fields = {**reply.headers, "ETag": '"another"', "Content-Length": "7"}
        return Reply(200, b"", fields) if request.method == "HEAD" else None

    report = probed(Agent(override=override))

    assert results_of(report, "probe/head") == [("warning", "HEAD and GET differ in etag, content-length")]


def by_version(vary: str | None, *, strange: int = 200) -> Callable[[RecordedRequest], Reply | None]:
    """Serve each version its own form, as the header asks."""

    def override(request: RecordedRequest) -> Reply | None:
        if request.path not in PLACES:
            return None
        version, origin = request.headers.get("a2a-version", ""), f"https://{request.headers['host']}"
        fields = {"Vary": vary} if vary else {}
        if version == "9.9":
            return Reply(strange, b"{}", {**JSON, **fields}) if strange != 200 else None
        both = [interface(f"{origin}/rpc"), interface(f"{origin}/rpc", version="0.3")]
        document = older(origin) if version == "0.3" else card(origin, supportedInterfaces=both)
        reply = served(json.dumps(document).encode(), request)
        return Reply(reply.status, reply.body, {**reply.headers, **fields})

    return override


def test_a_response_that_depends_on_the_version_must_vary() -> None:
    assert faults(probed(Agent(override=by_version(None)))) == [("warning", "probe/vary")]
    assert faults(probed(Agent(override=by_version("Accept, A2A-Version")))) == []


def test_a_card_is_requested_in_both_versions_and_an_unsupported_one() -> None:
    report = probed(Agent(override=by_version("A2A-Version", strange=400)))

    assert results_of(report, "probe/card-version") == [
        ("pass", "A2A-Version 1.0: HTTP 200, a card in a2a-1.0"),
        ("pass", "A2A-Version 0.3: HTTP 200, a card in a2a-0.3"),
        ("warning", "A2A-Version 9.9: HTTP 400"),
    ]


def test_a_card_that_is_refused_for_a_version_is_a_warning() -> None:
    def document(origin: str) -> dict[str, Any]:
        both = [interface(f"{origin}/rpc"), interface(f"{origin}/rpc", version="0.3")]
        return card(origin, supportedInterfaces=both)

    def override(request: RecordedRequest) -> Reply | None:
        refused = request.path in PLACES and request.headers.get("a2a-version") == "0.3"
        return Reply(400, b"{}", {**JSON, "Vary": "A2A-Version"}) if refused else None

    assert ("warning", "probe/card-version") in faults(probed(Agent(document, override)))
