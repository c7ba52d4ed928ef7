"""Artifact stores: they hold the bytes that artifact parts refer to (Beach protocol seed, Canonical part types)."""

from __future__ import annotations

import asyncio
import errno
import os
import re
import secrets
import stat
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol

import orjson

from cardwright.canonical import decode
from cardwright.errors import BadArgument, CardError, StoreError
from cardwright_beach.errors import UnknownArtifact
from cardwright_beach.parts import Part
from cardwright_beach.validate import shape_violations
from cardwright_runtime.violation import quote, unseen_as

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

# About the limit of email attachments (project decision).
MAX_ARTIFACT_BYTES: Final = 25 * 1024 * 1024
# 128 random bits: an id cannot be guessed. Lower case only, for case-insensitive file systems.
_ID: Final = re.compile(r"[0-9a-f]{32}\Z")
# RFC 9110 §8.3.1, without white space before the parameters.
_MEDIA_TYPE: Final = re.compile(
    r"[!#$%&'*+.^_`|~\w-]+/[!#$%&'*+.^_`|~\w-]+(;[\x20-\x7e]{1,200})?\Z", re.ASCII
)
# Limit of most file systems.
_MAX_NAME_BYTES: Final = 255
_FULL: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
_CLOSED: Final = frozenset({errno.EROFS, errno.EACCES, errno.EPERM})
# Do not follow links and do not block on pipes, where the system supports it.
_READ: Final = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)


@dataclass(frozen=True, slots=True)
class Artifact:
    """Metadata of a stored artifact.

    Attributes:
        artifact_id: Its id in the store.
        media_type: Media type of its bytes.
        filename: Suggested file name, without a path; or None.
        size: Size in bytes.
        url: URL from which a receiver can fetch it, or None.
    """

    artifact_id: str
    media_type: str
    filename: str | None
    size: int
    url: str | None = None

    def reference(self) -> dict[str, Any]:
        """Return the reference that parts carry (`schemas/beach/1.0/artifact-reference.schema.json`)."""
        optional = {"filename": self.filename, "url": self.url}
        return {
            "artifactId": self.artifact_id,
            "mediaType": self.media_type,
            "size": self.size,
            **{name: value for name, value in optional.items() if value is not None},
        }


class ArtifactStore(Protocol):
    """Store of artifact bytes."""

    async def put(self, content: bytes, *, media_type: str, filename: str | None = None) -> Artifact:
        """Store bytes and return the new artifact."""
        ...

    async def get(self, artifact_id: str) -> bytes:
        """Return the bytes of an artifact; raise `UnknownArtifact` for an unknown id."""
        ...

    async def describe(self, artifact_id: str) -> Artifact:
        """Return the metadata of an artifact; raise `UnknownArtifact` for an unknown id."""
        ...


@dataclass(frozen=True, slots=True)
class FolderArtifactStore:
    """Artifact store in a folder; writes are atomic, and several processes may share the folder.

    Each artifact has a file with its bytes and a JSON file with its metadata, which is written last.

    Attributes:
        path: The folder; created with its parents when the first artifact is stored.
        base_url: URL under which the folder is served, so that artifacts have a `url`; None if it is not served.
        max_bytes: Maximum size of an artifact.
        new_id: Returns a new, unguessable id of 32 hexadecimal digits.

    Raises:
        BadArgument: If `base_url` is not an http or https URL.
    """

    path: str | Path
    base_url: str | None = field(default=None, kw_only=True)
    max_bytes: int = field(default=MAX_ARTIFACT_BYTES, kw_only=True)
    new_id: Callable[[], str] = field(default=lambda: secrets.token_hex(16), kw_only=True)

    def __post_init__(self) -> None:
        """Refuse a base URL that is not an http or https URL."""
        if self.base_url is not None and not re.match(r"https?://[^/?#\s]+[^?#\s]*\Z", self.base_url):
            raise BadArgument("base_url", "must be an http or https URL without query and fragment")

    async def put(self, content: bytes, *, media_type: str, filename: str | None = None) -> Artifact:
        """Store bytes and return the new artifact.

        Args:
            content: The bytes.
            media_type: Their media type (RFC 9110 §8.3.1).
            filename: Suggested file name; folders and invisible characters are removed.

        Raises:
            BadArgument: If there are too many bytes, or the media type is not valid.
            StoreError: If the folder cannot be written; then nothing is stored.
        """
        if not isinstance(content, (bytes, bytearray)):
            raise BadArgument("content", "must be bytes")
        if len(content) > self.max_bytes:
            message = f"is too large: {len(content):,} bytes, limit {self.max_bytes:,}"
            raise BadArgument("content", message)
        if not _MEDIA_TYPE.match(media_type):
            raise BadArgument("media_type", f"{quote(media_type)} is not a media type (RFC 9110 §8.3.1)")
        name = None if filename is None else safe_filename(filename)
        artifact = self._artifact(self.new_id(), media_type, name, len(content))
        await asyncio.to_thread(self._write, artifact, bytes(content))
        return artifact

    async def get(self, artifact_id: str) -> bytes:
        """Return the bytes of an artifact.

        Raises:
            UnknownArtifact: If the store has no artifact with this id.
            StoreError: If it cannot be read, or has changed since it was stored.
        """
        return await asyncio.to_thread(self._content, artifact_id)

    async def describe(self, artifact_id: str) -> Artifact:
        """Return the metadata of an artifact.

        Raises:
            UnknownArtifact: If the store has no artifact with this id.
            StoreError: If it cannot be read, or has changed since it was stored.
        """
        return (await asyncio.to_thread(self._description, artifact_id))[0]

    def _artifact(self, artifact_id: str, media_type: str, filename: str | None, size: int) -> Artifact:
        url = None if self.base_url is None else f"{self.base_url.rstrip('/')}/{artifact_id}"
        return Artifact(artifact_id, media_type, filename, size, url)

    def _write(self, artifact: Artifact, content: bytes) -> None:
        metadata = {**artifact.reference(), "sha256": sha256(content).hexdigest()}
        # The URL depends on `base_url`, which may change.
        metadata.pop("url", None)
        with _store_errors("written"):
            folder = Path(self.path)
            folder.mkdir(parents=True, exist_ok=True)
            path = self._file(artifact.artifact_id)
            _write_atomically(path, content)
            try:
                _write_atomically(path.with_suffix(".json"), orjson.dumps(metadata))
            except OSError:
                with suppress(OSError):
                    path.unlink()
                raise

    def _content(self, artifact_id: str) -> bytes:
        artifact, digest = self._description(artifact_id)
        content = _read(self._file(artifact_id), artifact.size, artifact_id)
        if sha256(content).hexdigest() != digest:
            raise _changed(artifact_id)
        return content

    def _description(self, artifact_id: str) -> tuple[Artifact, str]:
        body = _read(self._file(artifact_id).with_suffix(".json"), 4096, artifact_id)
        try:
            metadata = decode(body)
        except CardError:
            raise _changed(artifact_id) from None
        match metadata:
            case {
                "artifactId": str(name),
                "mediaType": str(media_type),
                "size": int(size),
                "sha256": str(digest),
            }:
                if name == artifact_id and not shape_violations("ArtifactReference", metadata):
                    return self._artifact(name, media_type, metadata.get("filename"), size), digest
            case _:
                pass
        raise _changed(artifact_id)

    def _file(self, artifact_id: str) -> Path:
        """Return the path of an artifact; an invalid id never becomes part of a path."""
        if not isinstance(artifact_id, str) or not _ID.match(artifact_id):
            raise UnknownArtifact(artifact_id)
        return Path(self.path) / artifact_id


def artifact_part(artifact: Artifact) -> Part:
    """Return the part that refers to an artifact.

    >>> artifact_part(Artifact("berth-plan-2026", "application/pdf", "berth-plan.pdf", 48211)).data["size"]
    48211
    """
    return Part.of({"partType": "artifact", "data": artifact.reference()})


def safe_filename(name: str) -> str | None:
    """Return a file name without path and invisible characters, shortened for file systems; None if it becomes empty.

    >>> safe_filename("../../etc/berth-plan.pdf")
    'berth-plan.pdf'
    """
    last = unseen_as(re.split(r"[/\\]", name)[-1], lambda _: "").strip(" .")
    stem, dot, suffix = last.rpartition(".")
    if not dot or len(suffix.encode()) > 16:
        stem, dot, suffix = last, "", ""
    room = _MAX_NAME_BYTES - len((dot + suffix).encode())
    return (stem.encode()[:room].decode(errors="ignore") + dot + suffix) or None


def _write_atomically(path: Path, content: bytes) -> None:
    """Write a file atomically, through a temporary file."""
    temporary = path.with_name(f".{secrets.token_hex(8)}")
    try:
        with temporary.open("xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    finally:
        with suppress(OSError):
            temporary.unlink()


def _read(path: Path, max_bytes: int, artifact_id: str) -> bytes:
    """Return the bytes of a file, at most one more than `max_bytes`, so that a longer file is detected."""
    with _store_errors("read"):
        try:
            descriptor = os.open(path, _READ)
        except FileNotFoundError:
            raise UnknownArtifact(artifact_id) from None
        with os.fdopen(descriptor, "rb") as file:
            if stat.S_ISREG(os.fstat(descriptor).st_mode):
                return file.read(max_bytes + 1)
    raise _changed(artifact_id)


def _changed(artifact_id: str) -> StoreError:
    return StoreError(
        "corrupt", f"the artifact {quote(artifact_id)} has changed since it was stored; store it again"
    )


@contextmanager
def _store_errors(action: str) -> Generator[None]:
    """Raise `StoreError` for an `OSError`, with its cause and without the path."""
    try:
        yield
    except OSError as error:
        cause = "full" if error.errno in _FULL else "read-only" if error.errno in _CLOSED else "other"
        reason = os.strerror(error.errno) if error.errno else type(error).__name__
        raise StoreError(cause, f"the artifact store cannot be {action}: {reason}") from None
