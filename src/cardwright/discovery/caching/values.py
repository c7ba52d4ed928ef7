"""What a private cache knows of an answer, and what it decides about it: values without behaviour."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable

# Header fields in the order in which they came; a name may come twice.
Headers: TypeAlias = tuple[tuple[str, str], ...]

# Fields that say who is asking: an answer to one caller is none for another, Vary or not (ours).
CREDENTIALS: Final = frozenset({"authorization", "cookie", "proxy-authorization", "x-api-key"})
_DIGESTED: Final = "digest:"


@dataclass(frozen=True, slots=True)
class Kept:
    """What is kept of an answer. Its body lies somewhere else.

    Attributes:
        status: Its status, never 304.
        headers: Its fields, names in lower case, without those that no cache stores (RFC 9111 §3.1).
        request_headers: Those that Vary names of the request, names in lower case; a credential as its digest.
        requested_at: When it was asked for, in seconds since 1970.
        received_at: When its header came, in seconds since 1970; a 304 sets both anew.
    """

    status: int
    headers: Headers
    request_headers: Headers
    requested_at: float
    received_at: float


@dataclass(frozen=True, slots=True)
class Plan:
    """What to do for a request.

    Attributes:
        action: `use` what is kept, `revalidate` it, or `fetch` as if nothing were.
        headers: The conditions to send along when revalidating (RFC 9111 §4.3.1); none if it has no validator.
    """

    action: Literal["use", "revalidate", "fetch"]
    headers: Headers = ()


@dataclass(frozen=True, slots=True)
class Settled:
    """What an answer comes to.

    Attributes:
        kept: What to keep of it from now on; None if nothing may be kept, and what was kept is gone.
        modified: Whether the body is a new one; False after a 304, where the kept body goes on.
        headers: The fields of the answer to use: its own, or after a 304 the kept ones brought up to date.
    """

    kept: Kept | None
    modified: bool
    headers: Headers


def digested(
    headers: Iterable[tuple[str, str]], *, salt: bytes, credentials: frozenset[str] = CREDENTIALS
) -> Headers:
    """Return request fields, names in lower case, each credential replaced by a digest.

    Args:
        headers: The fields of a request.
        salt: At most 64 bytes that never leave the process or its database; digests by another never match.
        credentials: The names of fields that say who is asking, in lower case.
    """
    return tuple(
        (name, _digest(value, salt) if name in credentials else value)
        for name, value in ((name.lower(), value) for name, value in headers)
    )


def undigested(headers: Headers) -> str | None:
    """Return the name of a credential that stands there in the open, if one does."""
    return next(
        (name for name, value in headers if not value.startswith(_DIGESTED) and name.lower() in CREDENTIALS),
        None,
    )


def _digest(value: str, salt: bytes) -> str:
    seen = blake2b(value.strip().encode("utf-8", "surrogatepass"), key=salt, digest_size=16)
    return _DIGESTED + seen.hexdigest()
