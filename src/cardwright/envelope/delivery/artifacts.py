"""How an artifact goes out: by its URL where parts stream, with its bytes where one message is sent."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Any, Final

from cardwright.envelope.parts import Part

if TYPE_CHECKING:
    from cardwright.envelope.artifacts import ArtifactStore

# What mail still carries, and what a part may hold in base64 (ours).
MAX_ATTACHED_BYTES: Final = 10 * 1024 * 1024
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
            held = await store.describe(reference["artifactId"])
            reference = {"mediaType": held.media_type, **_named(held.filename), **reference}
            url = url or held.url
            if by_url and url is not None:
                return _made(part, reference, "url", url)
            content = await store.get(reference["artifactId"]) if held.size <= MAX_ATTACHED_BYTES else b""
            if held.size != len(content):
                return None if url is None else _made(part, reference, "url", url)
            return _made(part, reference, "raw", base64.b64encode(content).decode())
        except Exception:  # noqa: BLE001 - whatever a store raises costs its artifact, and not the answer
            return None if url is None else _made(part, reference, "url", url)
    return None if url is None else _made(part, reference, "url", url)


def _named(filename: str | None) -> dict[str, str]:
    return {} if filename is None else {"filename": filename}


def _made(part: Part, reference: dict[str, Any], content: str, value: str) -> Part:
    said: dict[str, Any] = {name: reference[name] for name in _CARRIED if name in reference}
    metadata = {**part.metadata, "artifactId": reference["artifactId"]}
    kept = {name: value for name, value in part.document.items() if name not in ("data", "metadata")}
    return Part({**said, **kept, content: value, "metadata": metadata})
