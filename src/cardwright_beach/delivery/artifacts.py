"""Outgoing artifacts: by URL for streaming receivers, as bytes for buffered ones."""

from __future__ import annotations

import asyncio
import base64
from typing import TYPE_CHECKING, Any, Final

from cardwright_beach.parts import Part

if TYPE_CHECKING:
    from cardwright_beach.artifacts import Artifact, ArtifactStore

# Fits into an email and, as base64, into a part (project decision).
MAX_ATTACHED_BYTES: Final = 10 * 1024 * 1024
# Time limit of the store for one artifact (project decision).
STORE_SECONDS: Final = 30.0
_CARRIED: Final = ("mediaType", "filename")


async def resolved(part: Part, store: ArtifactStore | None, *, by_url: bool) -> Part | None:
    """Return an artifact part with a URL or with bytes; None if neither is available.

    Source: Beach protocol seed, Delivery rules per transport class.

    Args:
        part: An `artifact` part: a reference (`schemas/beach/1.0/artifact-reference.schema.json`), a URL or bytes.
        store: The store of referenced artifacts.
        by_url: Whether to prefer a URL over the bytes.
    """
    if part.content != "data":
        # The part already has a URL or bytes.
        return part
    reference: dict[str, Any] = dict(part.data)
    url = reference.get("url")
    if by_url and url is not None:
        return _artifact_part(part, reference, "url", url)
    if store is not None:
        try:
            artifact, content = await _stored(store, reference["artifactId"], by_url=by_url)
            reference = {"mediaType": artifact.media_type, **_filename(artifact.filename), **reference}
            url = url or artifact.url
            if by_url and url is not None:
                return _artifact_part(part, reference, "url", url)
            if content is not None:
                return _artifact_part(part, reference, "raw", base64.b64encode(content).decode())
        except Exception:  # noqa: BLE001 - a failing store must not stop the response
            content = None
    return None if url is None else _artifact_part(part, reference, "url", url)


async def _stored(store: ArtifactStore, artifact_id: str, *, by_url: bool) -> tuple[Artifact, bytes | None]:
    """Return an artifact of a store, with its bytes if they are needed and not too large."""
    async with asyncio.timeout(STORE_SECONDS):
        artifact = await store.describe(artifact_id)
        if (by_url and artifact.url is not None) or artifact.size > MAX_ATTACHED_BYTES:
            return artifact, None
        content = await store.get(artifact_id)
    return artifact, content if len(content) <= MAX_ATTACHED_BYTES else None


def _filename(filename: str | None) -> dict[str, str]:
    return {} if filename is None else {"filename": filename}


def _artifact_part(part: Part, reference: dict[str, Any], content: str, value: str) -> Part:
    fields: dict[str, Any] = {name: reference[name] for name in _CARRIED if name in reference}
    metadata = {**part.metadata, "artifactId": reference["artifactId"]}
    rest = {name: value for name, value in part.document.items() if name not in ("data", "metadata")}
    return Part({**fields, **rest, content: value, "metadata": metadata})
