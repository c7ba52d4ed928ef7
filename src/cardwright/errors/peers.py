"""What goes wrong with peers, with what is kept of them, and with calling them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.errors.root import CardError
from cardwright_runtime.violation import escaped, quote

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright_runtime.violation import Violation


class ConnectionDenied(CardError):
    """The guard lets nobody connect there: allow it, or name another URL, as the message says.

    Attributes:
        rule: The guard's rule, such as `guard/address`.
        url: What was refused, as far as it may be shown.
    """

    def __init__(self, rule: str, reason: str, *, url: str = "") -> None:
        super().__init__(escaped(f"refused: {f'{url}: ' if url else ''}{reason} [{rule}]"))
        self.rule = rule
        self.reason = reason
        self.url = url


class PeerError(CardError):
    """A peer did not give what it was asked for. No byte of its answer stands in the message.

    Attributes:
        url: What it was asked at, without what identifies the caller.
        reason: What happened, in words of ours.
    """

    def __init__(self, url: str, reason: str) -> None:
        super().__init__(escaped(f"{url}: {reason}" if url else reason))
        self.url = url
        self.reason = reason


class PeerUnreachable(PeerError):
    """No connection to a peer came about, or it broke: try again later."""


class PeerTimeout(PeerError):
    """A peer took longer than it was given: try again later, or give it longer."""


class AccessDenied(PeerError):
    """A peer answered 401 or 403: give it what proves who is asking.

    Attributes:
        status: 401 or 403.
        schemes: What it asks for, lower case, from `WWW-Authenticate` (RFC 9110 §11.6.1).
    """

    def __init__(self, url: str, status: int, schemes: tuple[str, ...] = ()) -> None:
        asked = f" by {' or '.join(schemes)}" if schemes else ""
        told = (
            f"it answers {status}: say who is asking{asked}"
            if status == 401
            else "it answers 403: not for you"
        )
        super().__init__(url, told)
        self.status = status
        self.schemes = schemes


class BadAnswer(PeerError):
    """A peer answered what cannot be used.

    Attributes:
        kind: `status`, `too-large`, `redirects`, `encoding`, `not-found`, `not-a-card` or `not-a-reply`.
        status: The HTTP status, where there was one.
        retry_after: Seconds that the peer asks to be left alone (RFC 9110 §10.2.3), or None.
    """

    def __init__(
        self, url: str, kind: str, reason: str, *, status: int | None = None, retry_after: float | None = None
    ) -> None:
        super().__init__(url, reason)
        self.kind = kind
        self.status = status
        self.retry_after = retry_after


class BadConfiguration(CardError):
    """A configuration file cannot be used: mend what the message names.

    Attributes:
        path: The file, as it was given.
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
    """No peer is known by that name: add it, or name one that is.

    Attributes:
        name: What was asked for.
    """

    def __init__(self, name: str) -> None:
        super().__init__(escaped(f"no peer is known as {name!r}"))
        self.name = name


class StoreError(CardError):
    """The database cannot be read or written; nothing stored before is lost. The message names the cause.

    Attributes:
        cause: `full`, `locked`, `corrupt`, `read-only`, `unreachable`, `newer`, `older`, `foreign` or `other`.
    """

    def __init__(self, cause: str, reason: str) -> None:
        super().__init__(escaped(reason))
        self.cause = cause


class NoInterface(CardError):
    """A card names no way to talk that the caller has, too: speak another, or ask for another card.

    Attributes:
        offered: What the card has, each with the reason why it was passed over.
        supported: What the caller speaks.
    """

    def __init__(self, reason: str, *, offered: Sequence[str] = (), supported: Sequence[str] = ()) -> None:
        more = f"; and {len(offered) - 8} more" if len(offered) > 8 else ""
        had = f" The card has: {'; '.join(offered[:8])}{more}." if offered else ""
        super().__init__(escaped(f"{reason}.{had} The caller speaks: {', '.join(supported[:16])}"))
        self.reason = reason
        self.offered = tuple(offered)
        self.supported = tuple(supported)


class UnknownSkill(CardError):
    """The card has no skill or capability of that id: name one that it has.

    Attributes:
        skill: What was asked for.
        known: The ids that the card has.
    """

    def __init__(self, skill: str, known: Sequence[str]) -> None:
        told = ", ".join(quote(name) for name in known[:16]) or "none"
        more = f" and {len(known) - 16} more" if len(known) > 16 else ""
        super().__init__(f"the card has no skill {quote(skill)}; it has {told}{more}")
        self.skill = skill
        self.known = tuple(known)


class ContractUnusable(CardError):
    """The card's own schema cannot be used, so nothing is said of the data: refresh the card, or ask its owner.

    Attributes:
        violations: What is wrong with the schema, or which of its references could not be had.
    """

    def __init__(self, skill: str, side: str, violations: Sequence[Violation]) -> None:
        told = "; ".join(violation.message for violation in violations[:3])
        super().__init__(escaped(f"the {side} of {skill!r} cannot be judged: {told}"))
        self.violations = tuple(violations)


class ContractBroken(CardError):
    """What is sent or answered does not keep to the schema that the card declares for it: mend it.

    Attributes:
        skill: The skill or capability whose contract it is.
        side: `input` or `output`.
        violations: All of them, sorted by pointer into the data.
    """

    def __init__(self, skill: str, side: str, violations: Sequence[Violation]) -> None:
        told = "; ".join(f"{one.pointer or '(root)'}: {one.message} [{one.rule}]" for one in violations[:3])
        more = f"; and {len(violations) - 3} more" if len(violations) > 3 else ""
        super().__init__(f"the {side} of {quote(skill)} breaks its contract: {told}{more}")
        self.skill = skill
        self.side = side
        self.violations = tuple(violations)


class CallFailed(PeerError):
    """An agent answered a call with an error of its protocol: the code says what to do about it.

    What the agent says itself stands in the fields and never in the message: it is a stranger's text.

    Attributes:
        code: The JSON-RPC code, or None where it gave none.
        name: What the code means, such as `TaskNotFound` (A2A 1.0 §5.4), or "" where it means nothing there.
            Some platforms use A2A's codes for conditions of their own.
        error_reason: The reason as gRPC's ErrorInfo has it, such as `TASK_NOT_FOUND`, or "".
        remote_text: What the agent said, at most 1,000 characters.
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
        told = " ".join(filter(None, (str(code) if code is not None else "", f"({name})" if name else "")))
        super().__init__(url, f"the agent answered with an error{f': {told}' if told else ''}")
        self.code = code
        self.name = name
        self.error_reason = error_reason
        self.remote_text = remote_text[:1_000]


class SessionFailed(PeerError):
    """A session with an MCP server did not come about, or it ended it: try again later."""
