"""Errors of peers, of the store, and of calls."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.errors.root import CardError
from cardwright_runtime.violation import escaped, quote

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright_runtime.violation import Violation


class ConnectionDenied(CardError):
    """The guard refuses a connection: allow it, or use another URL, as the message describes.

    Attributes:
        rule: The guard's rule, such as `guard/address`.
        reason: Why the connection is refused.
        url: The refused URL without secrets.
    """

    def __init__(self, rule: str, reason: str, *, url: str = "") -> None:
        super().__init__(escaped(f"refused: {f'{url}: ' if url else ''}{reason} [{rule}]"))
        self.rule = rule
        self.reason = reason
        self.url = url


class PeerError(CardError):
    """A request to a peer failed. The message contains nothing from the peer's response.

    Attributes:
        url: The URL of the request, without credentials.
        reason: What happened.
    """

    def __init__(self, url: str, reason: str) -> None:
        super().__init__(escaped(f"{url}: {reason}" if url else reason))
        self.url = url
        self.reason = reason


class PeerUnreachable(PeerError):
    """A connection to a peer failed or broke: try again later.

    Attributes:
        connected: Whether there was a connection, which broke.
    """

    def __init__(self, url: str, reason: str, *, connected: bool = False) -> None:
        super().__init__(url, reason)
        self.connected = connected


class PeerTimeout(PeerError):
    """A peer did not respond in time: try again later, or use a longer timeout."""


class AccessDenied(PeerError):
    """A peer responded with 401 or 403: send credentials that it accepts.

    Attributes:
        status: 401 or 403.
        schemes: The required schemes, in lower case, from `WWW-Authenticate` (RFC 9110 §11.6.1).
    """

    def __init__(self, url: str, status: int, schemes: tuple[str, ...] = ()) -> None:
        accepted = f" ({' or '.join(schemes)})" if schemes else ""
        reason = (
            f"the response is {status}: authentication is required{accepted}"
            if status == 401
            else "the response is 403: access is denied"
        )
        super().__init__(url, reason)
        self.status = status
        self.schemes = schemes


class BadResponse(PeerError):
    """A peer's response cannot be used.

    Attributes:
        kind: `status`, `too-large`, `redirects`, `encoding`, `not-found`, `not-a-card` or `not-a-reply`.
        status: The HTTP status, or None.
        retry_after: Seconds to wait before the next request (Retry-After, RFC 9110 §10.2.3), or None.
    """

    def __init__(
        self, url: str, kind: str, reason: str, *, status: int | None = None, retry_after: float | None = None
    ) -> None:
        super().__init__(url, reason)
        self.kind = kind
        self.status = status
        self.retry_after = retry_after


class BadConfiguration(CardError):
    """A settings file is not valid: fix what the message names.

    Attributes:
        path: The file, as the caller gave it.
        faults: What is wrong, and where; the message has each fault on a line of its own.
        reason: All faults as one text.
    """

    def __init__(self, path: str, *faults: str) -> None:
        lines = "\n".join(map(escaped, faults))
        separator = ": " if len(faults) == 1 else ":\n"
        super().__init__(f"{escaped(path)}{separator}{lines}" if path else lines)
        self.path = path
        self.faults = faults
        self.reason = "\n".join(faults)


class UnknownPeer(CardError):
    """There is no peer of that name, or it has no card yet: add it, use a known name, or fix what the message names.

    Attributes:
        name: The requested name.
        reason: Why a known peer has no card yet; "" for an unknown one.
        provider: The requested provider; "" for none.
    """

    def __init__(self, name: str, reason: str = "", *, provider: str = "") -> None:
        of = f" of the provider {provider!r}" if provider else ""
        super().__init__(
            escaped(
                f"the peer {name!r} has no card yet: {reason}" if reason else f"unknown peer {name!r}{of}"
            )
        )
        self.name = name
        self.reason = reason
        self.provider = provider


class StoreError(CardError):
    """The database cannot be read or written; stored data is not lost. The message names the cause.

    Attributes:
        cause: `full`, `locked`, `corrupt`, `read-only`, `unreachable`, `newer`, `older`, `foreign` or `other`.
    """

    def __init__(self, cause: str, reason: str) -> None:
        super().__init__(escaped(reason))
        self.cause = cause


class NoInterface(CardError):
    """A card has no interface that the caller supports: support another one, or use another card.

    Attributes:
        reason: What was missing.
        offered: The interfaces of the card, each with the reason why it does not fit.
        supported: The protocols that the caller supports.
    """

    def __init__(self, reason: str, *, offered: Sequence[str] = (), supported: Sequence[str] = ()) -> None:
        more = f"; and {len(offered) - 8} more" if len(offered) > 8 else ""
        interfaces = f" The card has: {'; '.join(offered[:8])}{more}." if offered else ""
        super().__init__(escaped(f"{reason}.{interfaces} The caller supports: {', '.join(supported[:16])}"))
        self.reason = reason
        self.offered = tuple(offered)
        self.supported = tuple(supported)


class UnknownSkill(CardError):
    """The card has no skill or capability of that id: use one that it has.

    Attributes:
        skill: The requested id.
        known: The ids in the card.
    """

    def __init__(self, skill: str, known: Sequence[str]) -> None:
        ids = ", ".join(quote(name) for name in known[:16]) or "none"
        more = f" and {len(known) - 16} more" if len(known) > 16 else ""
        super().__init__(f"the card has no skill {quote(skill)}; it has {ids}{more}")
        self.skill = skill
        self.known = tuple(known)


class ContractUnusable(CardError):
    """The card's schema cannot be used, so the data was not validated: refresh the card, or ask its owner.

    Attributes:
        violations: What is wrong with the schema, or which of its references could not be fetched.
    """

    def __init__(self, skill: str, side: str, violations: Sequence[Violation]) -> None:
        details = "; ".join(violation.message for violation in violations[:3])
        super().__init__(escaped(f"the {side} of {skill!r} cannot be validated: {details}"))
        self.violations = tuple(violations)


class ContractBroken(CardError):
    """A request or response violates the schema that the card declares for it: fix the data.

    Attributes:
        skill: The skill or capability that declares the schema.
        side: `input` or `output`.
        violations: All violations, sorted by pointer into the data.
    """

    def __init__(self, skill: str, side: str, violations: Sequence[Violation]) -> None:
        details = "; ".join(
            f"{violation.pointer or '(root)'}: {violation.message} [{violation.rule}]"
            for violation in violations[:3]
        )
        more = f"; and {len(violations) - 3} more" if len(violations) > 3 else ""
        super().__init__(f"the {side} of {quote(skill)} violates the card's schema: {details}{more}")
        self.skill = skill
        self.side = side
        self.violations = tuple(violations)


class CallFailed(PeerError):
    """An agent responded to a call with a protocol error; the code says what to do.

    The message quotes the start of the agent's own text, which is untrusted; `reason` is without it.

    Attributes:
        code: The JSON-RPC code, or None.
        name: The error's name, such as `TaskNotFound` (A2A 1.0 §5.4), or "" if the code has no defined name.
            Some platforms use A2A's codes for their own errors.
        error_reason: The reason of gRPC's ErrorInfo, such as `TASK_NOT_FOUND`, or "".
        remote_text: The agent's text, at most 1,000 characters.
    """

    def __init__(
        self,
        url: str,
        *,
        code: int | None = None,
        name: str = "",
        error_reason: str = "",
        remote_text: str = "",
    ) -> None:
        details = " ".join(filter(None, (str(code) if code is not None else "", f"({name})" if name else "")))
        super().__init__(url, f"the agent responded with an error{f': {details}' if details else ''}")
        self.code = code
        self.name = name
        self.error_reason = error_reason
        self.remote_text = remote_text[:1_000]

    def __str__(self) -> str:
        """Return the message, with the start of the agent's text in quotation marks."""
        return f"{super().__str__()}: {quote(self.remote_text)}" if self.remote_text else super().__str__()


class SessionFailed(PeerError):
    """A session with an MCP server could not be opened, or the server closed it: try again later."""
