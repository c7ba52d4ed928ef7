"""How an artifact goes out: by its URL where parts stream, with its bytes where one message is sent."""

from __future__ import annotations

import asyncio
import base64
from typing import TYPE_CHECKING, Any, Final

from cardwright_beach.parts import Part

if TYPE_CHECKING:
    from cardwright_beach.artifacts import Artifact, ArtifactStore

# What mail still carries, and what a part may hold in base64 (ours).
MAX_ATTACHED_BYTES: Final = 10 * 1024 * 1024
# How long a store may take for one artifact (ours).
STORE_SECONDS: Final = 30.0
_CARRIED: Final = ("mediaType", "filename")


async def carried(part: Part, store: ArtifactStore | None, *, by_url: bool) -> Part | None:
    """Return an artifact as it goes out, with a URL or with bytes; None where neither can be had.

    Source: Beach protocol seed, Delivery rules per transport class.

    Args:
        part: An `artifact` part: a reference (`schemas/beach/1.0/artifact-reference.schema.json`), a URL or bytes.
        store: Who holds the bytes of references.
        by_url: Whether a URL is preferred to the bytes.
    """
    if part.content != "data":
        # Whoever made the part said how it travels; nothing is fetched here.
        return part
    reference: dict[str, Any] = dict(part.data)
    url = reference.get("url")
    if by_url and url is not None:
        return _made(part, reference, "url", url)
    if store is not None:
        try:
            held, content = await _had(store, reference["artifactId"], by_url=by_url)
            reference = {"mediaType": held.media_type, **_named(held.filename), **reference}
            url = url or held.url
            if by_url and url is not None:
                return _made(part, reference, "url", url)
            if content is not None:
                return _made(part, reference, "raw", base64.b64encode(content).decode())
        except Exception:  # noqa: BLE001 - whatever a store raises costs its artifact, and not the answer
            content = None
    return None if url is None else _made(part, reference, "url", url)


async def _had(store: ArtifactStore, artifact_id: str, *, by_url: bool) -> tuple[Artifact, bytes | None]:
    """Return what a store knows of an artifact, and its bytes where they are needed and fit."""
    async with asyncio.timeout(STORE_SECONDS):
        held = await store.describe(artifact_id)
        if (by_url and held.url is not None) or held.size > MAX_ATTACHED_BYTES:
            return held, None
        content = await store.get(artifact_id)
    return held, content if len(content) <= MAX_ATTACHED_BYTES else None


def _named(filename: str | None) -> dict[str, str]:
    return {} if filename is None else {"filename": filename}


def _made(part: Part, reference: dict[str, Any], content: str, value: str) -> Part:
    said: dict[str, Any] = {name: reference[name] for name in _CARRIED if name in reference}
    metadata = {**part.metadata, "artifactId": reference["artifactId"]}
    kept = {name: value for name, value in part.document.items() if name not in ("data", "metadata")}
    return Part({**said, **kept, content: value, "metadata": metadata})
