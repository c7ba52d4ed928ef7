"""Values of a private cache: stored response, plan and result."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable

# Header fields in the order of arrival; a name may repeat.
Headers: TypeAlias = tuple[tuple[str, str], ...]

# Fields that identify the caller: a response to one caller is never used for another, whatever Vary says
# (project decision).
CREDENTIALS: Final = frozenset({"authorization", "cookie", "proxy-authorization", "x-api-key"})
_DIGESTED: Final = "digest:"


@dataclass(frozen=True, slots=True)
class StoredResponse:
    """A stored response, without its body.

    Attributes:
        status: Its status, never 304.
        headers: Its header fields, names in lower case, without those that no cache stores (RFC 9111 §3.1).
        request_headers: The request fields that Vary names, names in lower case, credentials as digests.
        requested_at: When the request was sent, in seconds since 1970.
        received_at: When the header arrived, in seconds since 1970; a 304 updates both times.
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
        action: `use` the stored response, `revalidate` it, or `fetch` without conditions.
        headers: The conditions to send for a revalidation (RFC 9111 §4.3.1); empty without a validator.
    """

    action: Literal["use", "revalidate", "fetch"]
    headers: Headers = ()


@dataclass(frozen=True, slots=True)
class Settled:
    """The effect of a response on the cache.

    Attributes:
        stored: The response to store; None if it must not be stored and a stored one has to be removed.
        modified: Whether the body is new; False after a 304, which confirms the stored body.
        headers: The header fields to use: those of the response, or after a 304 the updated stored ones.
    """

    stored: StoredResponse | None
    modified: bool
    headers: Headers


def digested(
    headers: Iterable[tuple[str, str]], *, salt: bytes, credentials: frozenset[str] = CREDENTIALS
) -> Headers:
    """Return request fields, names in lower case, with each credential replaced by a digest.

    Args:
        headers: The header fields of a request.
        salt: A secret of at most 64 bytes that never leaves the process or its database; digests with different
            salts never match.
        credentials: The names of the fields that identify the caller, in lower case.
    """
    return tuple(
        (name, _digest(value, salt) if name in credentials else value)
        for name, value in ((name.lower(), value) for name, value in headers)
    )


def undigested(headers: Headers) -> str | None:
    """Return the name of the first credential in clear text, or None."""
    return next(
        (name for name, value in headers if not value.startswith(_DIGESTED) and name.lower() in CREDENTIALS),
        None,
    )


def _digest(value: str, salt: bytes) -> str:
    digest = blake2b(value.strip().encode("utf-8", "surrogatepass"), key=salt, digest_size=16)
    return _DIGESTED + digest.hexdigest()
