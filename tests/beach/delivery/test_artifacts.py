"""Delivered artifacts: by URL to streaming receivers, as bytes to buffered ones."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from cardwright_beach import Artifact, FolderArtifactStore, Part, Transport, artifact_part, deliver
from cardwright_beach.delivery.artifacts import MAX_ATTACHED_BYTES
from tests.beach.envelopes import a2a_card, envelope

if TYPE_CHECKING:
    from pathlib import Path

SSE, EMAIL = Transport("sse"), Transport("smtp")


def delivered(part: Any, to: Any, store: Any) -> list[Part]:
    async def run() -> list[Part]:
        delivery = await deliver(envelope([part]), to=to, artifacts=store)
        return [one async for one in delivery]

    return asyncio.run(run())


def stored(store: FolderArtifactStore, content: bytes = b"%PDF") -> Part:
    artifact = asyncio.run(store.put(content, media_type="application/pdf", filename="plan.pdf"))
    return artifact_part(artifact)


def test_a_stream_gets_the_artifact_url_and_an_email_the_bytes(tmp_path: Path) -> None:
    store = FolderArtifactStore(tmp_path, base_url="https://harbour.example/files")
    part = stored(store)

    (streamed,) = delivered(part, SSE, store)
    (mailed,) = delivered(part, EMAIL, store)
    (peer,) = delivered(part, a2a_card(None), store)

    assert streamed.url is not None
    assert streamed.url.startswith("https://harbour.example/files/")
    assert peer.url == streamed.url
    assert mailed.raw == b"%PDF"
    for one in (streamed, mailed):
        assert one.metadata["artifactId"] == part.data["artifactId"]
        assert (one.document["mediaType"], one.document["filename"]) == ("application/pdf", "plan.pdf")
        Part.of(one)


def test_a_stream_gets_the_artifact_bytes_if_there_is_no_url(tmp_path: Path) -> None:
    store = FolderArtifactStore(tmp_path)

    (streamed,) = delivered(stored(store), SSE, store)

    assert streamed.raw == b"%PDF"


def test_a_reference_with_a_url_needs_no_store() -> None:
    part = {"partType": "artifact", "data": {"artifactId": "a", "url": "https://a.example/f"}}

    for to in (SSE, EMAIL):
        assert [one.url for one in delivered(part, to, None)] == ["https://a.example/f"]


def test_inline_artifact_content_is_sent_unchanged() -> None:
    for content in ({"raw": "AAEC"}, {"url": "https://a.example/f"}):
        part = {"partType": "artifact", **content}
        for to in (SSE, EMAIL):
            (one,) = delivered(part, to, None)
            assert {name: one.document[name] for name in content} == content


class Failing:
    """Artifact store that always fails."""

    def __init__(self, error: Exception, size: int = 4) -> None:
        self.error = error
        self.size = size

    async def put(self, content: bytes, *, media_type: str, filename: str | None = None) -> Artifact:
        raise self.error.__class__(content, media_type, filename)

    async def get(self, artifact_id: str) -> bytes:
        raise self.error.__class__(artifact_id, *self.error.args)

    async def describe(self, artifact_id: str) -> Artifact:
        return Artifact(artifact_id, "text/plain", None, self.size, None)


@pytest.mark.parametrize(
    "store",
    [
        None,
        Failing(KeyError("secret")),
        Failing(OSError("/srv/secret")),
        Failing(KeyError(), MAX_ATTACHED_BYTES + 1),
    ],
)
def test_an_unavailable_artifact_becomes_an_error_part(store: Any) -> None:
    async def run() -> tuple[list[Part], list[Any]]:
        parts = [{"partType": "artifact", "data": {"artifactId": "a"}}, {"partType": "response", "text": "a"}]
        delivery = await deliver(envelope(parts), to=SSE, artifacts=store)
        return [one async for one in delivery], delivery.explain()

    parts, rows = asyncio.run(run())

    assert [one.type for one in parts] == ["error", "response"]
    assert "secret" not in str(parts[0].document)
    outcomes = [(row.type, row.outcome) for row in rows]
    assert outcomes == [("artifact", "dropped"), ("response", "sent"), ("error", "sent")]


async def test_an_email_reports_a_missing_artifact() -> None:
    delivery = await deliver(envelope([{"partType": "artifact", "data": {"artifactId": "a"}}]), to=EMAIL)
    types, rows = [one.type async for one in delivery], delivery.explain()

    assert types == ["error"]
    assert [(row.type, row.outcome) for row in rows] == [("artifact", "dropped"), ("error", "sent")]


def test_an_artifact_too_large_for_a_message_is_sent_by_url(tmp_path: Path) -> None:
    store = FolderArtifactStore(tmp_path, base_url="https://harbour.example/files")
    part = stored(store, b"x" * (MAX_ATTACHED_BYTES + 1))

    (mailed,) = delivered(part, EMAIL, store)

    assert mailed.url is not None
