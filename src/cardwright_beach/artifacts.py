"""Where the bytes of artifacts live; parts name them only (Beach protocol seed, Canonical part types)."""

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

# What e-mail takes as an attachment, more or less (ours).
MAX_ARTIFACT_BYTES: Final = 25 * 1024 * 1024
# 128 random bits: whoever is not told an id cannot name the artifact. One case, for folders that know no other.
_ID: Final = re.compile(r"[0-9a-f]{32}\Z")
# RFC 9110 §8.3.1, without white space before the parameters.
_MEDIA_TYPE: Final = re.compile(
    r"[!#$%&'*+.^_`|~\w-]+/[!#$%&'*+.^_`|~\w-]+(;[\x20-\x7e]{1,200})?\Z", re.ASCII
)
# What most file systems take as a name.
_NAME_BYTES: Final = 255
_FULL: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
_CLOSED: Final = frozenset({errno.EROFS, errno.EACCES, errno.EPERM})
# No link is followed and no pipe is waited for, where the system knows how.
_READ: Final = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)


@dataclass(frozen=True, slots=True)
class Artifact:
    """What is known of an artifact without its bytes.

    Attributes:
        artifact_id: What its store calls it.
        media_type: Media type of its bytes.
        filename: Name to save it by, no path; or None.
        size: How many bytes it has.
        url: Where a receiver can fetch it, or None.
    """

    artifact_id: str
    media_type: str
    filename: str | None
    size: int
    url: str | None = None

    def reference(self) -> dict[str, Any]:
        """Return it as parts name it (`schemas/beach/1.0/artifact-reference.schema.json`)."""
        told = {"filename": self.filename, "url": self.url}
        return {
            "artifactId": self.artifact_id,
            "mediaType": self.media_type,
            "size": self.size,
            **{name: value for name, value in told.items() if value is not None},
        }


class ArtifactStore(Protocol):
    """What keeps the bytes of artifacts."""

    async def put(self, content: bytes, *, media_type: str, filename: str | None = None) -> Artifact:
        """Keep bytes, and return what they are called from now on."""
        ...

    async def get(self, artifact_id: str) -> bytes:
        """Return the bytes of an artifact; `UnknownArtifact` where there is none."""
        ...

    async def describe(self, artifact_id: str) -> Artifact:
        """Return what is known of an artifact; `UnknownArtifact` where there is none."""
        ...


@dataclass(frozen=True, slots=True)
class FolderArtifactStore:
    """Artifacts as files of a folder, each whole or not there at all; many processes may share it.

    Beside the bytes lies what is known of them, written last: without it there is no artifact.

    Attributes:
        path: The folder; it is made, with its parents, when the first artifact is kept.
        base_url: Where the folder is served, so that artifacts have a `url`; None where it is not.
        max_bytes: The most bytes an artifact may have.
        new_id: Gives an id that nobody guesses, and never one twice: 32 hexadecimal digits.

    Raises:
        BadArgument: If `base_url` is no http URL.
    """

    path: str | Path
    base_url: str | None = field(default=None, kw_only=True)
    max_bytes: int = field(default=MAX_ARTIFACT_BYTES, kw_only=True)
    new_id: Callable[[], str] = field(default=lambda: secrets.token_hex(16), kw_only=True)

    def __post_init__(self) -> None:
        """Refuse a base that no artifact could be fetched from."""
        if self.base_url is not None and not re.match(r"https?://[^/?#\s]+[^?#\s]*\Z", self.base_url):
            raise BadArgument("base_url", "the folder is served at an http or https URL without a query")

    async def put(self, content: bytes, *, media_type: str, filename: str | None = None) -> Artifact:
        """Keep bytes, and return what they are called from now on.

        Args:
            content: The bytes.
            media_type: Their media type (RFC 9110 §8.3.1).
            filename: Name to save them by; folders and what cannot be seen are taken off.

        Raises:
            BadArgument: If they are too many, or the media type is none.
            StoreError: If the folder cannot be written; nothing is kept then.
        """
        if not isinstance(content, (bytes, bytearray)):
            raise BadArgument("content", "an artifact is bytes")
        if len(content) > self.max_bytes:
            told = f"the artifact has {len(content):,} bytes; at most {self.max_bytes:,} are kept"
            raise BadArgument("content", told)
        if not _MEDIA_TYPE.match(media_type):
            raise BadArgument("media_type", f"{quote(media_type)} is no media type (RFC 9110 §8.3.1)")
        name = None if filename is None else safe_filename(filename)
        artifact = self._artifact(self.new_id(), media_type, name, len(content))
        await asyncio.to_thread(self._write, artifact, bytes(content))
        return artifact

    async def get(self, artifact_id: str) -> bytes:
        """Return the bytes of an artifact.

        Raises:
            UnknownArtifact: If there is none of that id.
            StoreError: If it cannot be read, or is not what was kept.
        """
        return await asyncio.to_thread(self._content, artifact_id)

    async def describe(self, artifact_id: str) -> Artifact:
        """Return what is known of an artifact.

        Raises:
            UnknownArtifact: If there is none of that id.
            StoreError: If it cannot be read, or is not what was kept.
        """
        return (await asyncio.to_thread(self._description, artifact_id))[0]

    def _artifact(self, artifact_id: str, media_type: str, filename: str | None, size: int) -> Artifact:
        url = None if self.base_url is None else f"{self.base_url.rstrip('/')}/{artifact_id}"
        return Artifact(artifact_id, media_type, filename, size, url)

    def _write(self, artifact: Artifact, content: bytes) -> None:
        known = {**artifact.reference(), "sha256": sha256(content).hexdigest()}
        # Where the folder is served belongs to it, and not to what lies in it.
        known.pop("url", None)
        with _failing("written"):
            folder = Path(self.path)
            folder.mkdir(parents=True, exist_ok=True)
            kept = self._file(artifact.artifact_id)
            _write_whole(kept, content)
            try:
                _write_whole(kept.with_suffix(".json"), orjson.dumps(known))
            except OSError:
                with suppress(OSError):
                    kept.unlink()
                raise

    def _content(self, artifact_id: str) -> bytes:
        artifact, digest = self._description(artifact_id)
        content = _read_whole(self._file(artifact_id), artifact.size, artifact_id)
        if sha256(content).hexdigest() != digest:
            raise _changed(artifact_id)
        return content

    def _description(self, artifact_id: str) -> tuple[Artifact, str]:
        body = _read_whole(self._file(artifact_id).with_suffix(".json"), 4096, artifact_id)
        try:
            known = decode(body)
        except CardError:
            raise _changed(artifact_id) from None
        match known:
            case {
                "artifactId": str(name),
                "mediaType": str(media_type),
                "size": int(size),
                "sha256": str(digest),
            }:
                if name == artifact_id and not shape_violations("ArtifactReference", known):
                    return self._artifact(name, media_type, known.get("filename"), size), digest
            case _:
                pass
        raise _changed(artifact_id)

    def _file(self, artifact_id: str) -> Path:
        """Return where an artifact lies; no path is built of what is no id."""
        if not isinstance(artifact_id, str) or not _ID.match(artifact_id):
            raise UnknownArtifact(artifact_id)
        return Path(self.path) / artifact_id


def artifact_part(artifact: Artifact) -> Part:
    """Return the part that names an artifact.

    >>> artifact_part(Artifact("berth-plan-2026", "application/pdf", "berth-plan.pdf", 48211)).data["size"]
    48211
    """
    return Part.of({"partType": "artifact", "data": artifact.reference()})


def safe_filename(name: str) -> str | None:
    """Return a name that is no path, has nothing unseen in it, and fits a file system; None if nothing is left.

    >>> safe_filename("../../etc/berth-plan.pdf")
    'berth-plan.pdf'
    """
    last = unseen_as(re.split(r"[/\\]", name)[-1], lambda _: "").strip(" .")
    stem, dot, suffix = last.rpartition(".")
    if not dot or len(suffix.encode()) > 16:
        stem, dot, suffix = last, "", ""
    room = _NAME_BYTES - len((dot + suffix).encode())
    return (stem.encode()[:room].decode(errors="ignore") + dot + suffix) or None


def _write_whole(path: Path, content: bytes) -> None:
    """Write a file that is there with all its bytes or not at all, whatever happens meanwhile."""
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


def _read_whole(path: Path, most: int, artifact_id: str) -> bytes:
    """Return the bytes of a file, at most one more than asked for."""
    with _failing("read"):
        try:
            descriptor = os.open(path, _READ)
        except FileNotFoundError:
            raise UnknownArtifact(artifact_id) from None
        with os.fdopen(descriptor, "rb") as file:
            if stat.S_ISREG(os.fstat(descriptor).st_mode):
                return file.read(most + 1)
    raise _changed(artifact_id)


def _changed(artifact_id: str) -> StoreError:
    return StoreError("corrupt", f"the artifact {quote(artifact_id)} is not what was kept: keep it again")


@contextmanager
def _failing(what: str) -> Generator[None]:
    """Say what the folder failed by, in words of the operator's and without its place."""
    try:
        yield
    except OSError as error:
        cause = "full" if error.errno in _FULL else "read-only" if error.errno in _CLOSED else "other"
        told = os.strerror(error.errno) if error.errno else type(error).__name__
        raise StoreError(cause, f"the artifact store cannot be {what}: {told}") from None
