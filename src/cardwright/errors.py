"""Everything this package raises, named for what the caller can do about it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cardwright_models.violation import escaped, quote

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright_models.violation import Violation


class CardError(Exception):
    """The root: whatever cardwright raises on foreign input is one of these."""

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle by what the error says and holds, since the parts that it was built from are gone."""
        return _restored, (type(self), self.args, self.__dict__)


def _restored(kind: type[CardError], arguments: tuple[Any, ...], fields: dict[str, Any]) -> CardError:
    error = kind.__new__(kind, *arguments)
    error.args = arguments
    error.__dict__.update(fields)
    return error


class MalformedDocument(CardError):
    """The bytes or the value are no JSON document that may be read: mend or refuse them.

    Attributes:
        rule: The rule's id, such as `decode/duplicate-member`.
        reason: What was seen and what was expected.
        offset: Where in the bytes, or None where no single place is to blame.
        pointer: Where in the value (RFC 6901), or "" where it never became one.
    """

    def __init__(self, rule: str, reason: str, *, offset: int | None = None, pointer: str = "") -> None:
        at = f" (byte {offset})" if offset is not None else ""
        where = f" at {pointer}" if pointer else ""
        super().__init__(escaped(f"{reason}{where}{at}"))
        self.rule = rule
        self.reason = reason
        self.offset = offset
        self.pointer = pointer


class UnknownDialect(CardError):
    """The document is JSON but no agent card that is known here: name its dialect, or leave it."""


class InvalidCard(CardError):
    """The card has errors: show or mend its violations.

    Attributes:
        violations: All of them, warnings too, sorted by pointer.
    """

    def __init__(self, violations: Sequence[Violation]) -> None:
        errors = [violation for violation in violations if violation.severity == "error"]
        told = "; ".join(
            f"{error.pointer or '(root)'}: {error.message} [{error.rule}]" for error in errors[:3]
        )
        more = f"; and {len(errors) - 3} more" if len(errors) > 3 else ""
        super().__init__(f"{len(errors)} error{'s' if len(errors) != 1 else ''}: {told}{more}")
        self.violations = tuple(violations)


class BadArgument(CardError, TypeError):
    """An argument cannot be what it is: give what the message says.

    Attributes:
        argument: Its name.
    """

    def __init__(self, argument: str, reason: str) -> None:
        super().__init__(escaped(f"{argument}: {reason}"))
        self.argument = argument


class BadFunction(CardError, TypeError):
    """A function does not say what a card has to: mend it, or say it beside it, as the message tells.

    Attributes:
        function: Its name.
    """

    def __init__(self, function: str, reason: str) -> None:
        super().__init__(escaped(f"{function}: {reason}"))
        self.function = function


class Refused(CardError):
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
        reason: What is wrong, and where.
    """

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(escaped(f"{path}: {reason}" if path else reason))
        self.path = path
        self.reason = reason


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
        cause: `full`, `locked`, `corrupt`, `read-only`, `unreachable`, `newer` or `other`.
    """

    def __init__(self, cause: str, reason: str) -> None:
        super().__init__(escaped(reason))
        self.cause = cause


class MissingPackage(CardError, ImportError):
    """A package that this one does not need itself is not installed: install it."""


class SignedCard(CardError):
    """The card is signed and mending it breaks its signatures: say so, or leave it.

    Attributes:
        fixes: How many fixes there are for it.
    """

    def __init__(self, fixes: int) -> None:
        count = f"{fixes} fix{'es' if fixes != 1 else ''}"
        super().__init__(
            f"the card is signed: {count} would change it, and its signatures would no longer hold"
        )
        self.fixes = fixes


class NoCanonicalForm(CardError):
    """A profile defines no bytes for the card: choose another, or mend what the message names."""


class UnsignableCard(CardError):
    """The card cannot be signed as it is: the message says why, and what to do first."""


class BadKey(CardError):
    """A key cannot be used for what was asked: give another, or another algorithm."""


class DuplicateEntry(CardError):
    """A registry has that name already: choose another, or leave the first."""

    def __init__(self, registry: str, name: str) -> None:
        super().__init__(f"{name!r} is registered already as one of the {registry}")
        self.registry = registry
        self.name = name


class BadName(CardError):
    """A registry cannot take that name; the message says what a name looks like there."""

    def __init__(self, registry: str, name: object, expected: str) -> None:
        super().__init__(f"{name!r} is no name for one of the {registry}: {expected}")
        self.registry = registry
        self.name = name


class BadPart(CardError):
    """A part of an envelope cannot be what it is: mend what the message names; the other parts stand.

    Attributes:
        type: What it says it is, or None.
        index: Which part of its turn it is, counted from 0, or None where it stands alone.
        violations: All of them, sorted by pointer into the part.
    """

    def __init__(self, part_type: object, violations: Sequence[Violation], index: int | None = None) -> None:
        told = "; ".join(f"{one.pointer or '(root)'}: {one.message} [{one.rule}]" for one in violations[:3])
        more = f"; and {len(violations) - 3} more" if len(violations) > 3 else ""
        which = "a part" if index is None else f"part {index}"
        kind = f" ({escaped(part_type[:128])})" if isinstance(part_type, str) else ""
        super().__init__(f"{which}{kind}: {told}{more}")
        self.type = part_type if isinstance(part_type, str) else None
        self.index = index
        self.violations = tuple(violations)


class BadEnvelope(CardError):
    """What came is no envelope: the message says where; parts that are wrong are told one by one instead.

    Attributes:
        violations: All of them, sorted by pointer.
    """

    def __init__(self, violations: Sequence[Violation]) -> None:
        told = "; ".join(f"{one.pointer or '(root)'}: {one.message} [{one.rule}]" for one in violations[:3])
        more = f"; and {len(violations) - 3} more" if len(violations) > 3 else ""
        super().__init__(f"no envelope: {told}{more}")
        self.violations = tuple(violations)


class EnvelopeSpent(CardError):
    """An envelope flows already, so a new receiver would miss its beginning: deliver to all of them first."""

    def __init__(self, event_id: str) -> None:
        told = "the envelope flows already: call deliver for every receiver before the first part is taken"
        super().__init__(escaped(f"{event_id}: {told}"))
        self.event_id = event_id


class SurfaceFailed(CardError):
    """A surface template made nothing that can be shown: mend it; the data go out without a surface.

    What the template itself raised is chained, and not repeated in the message.

    Attributes:
        kind: The kind of data that it was registered for.
        violations: What is wrong with what it made, sorted by pointer; none where it made nothing.
    """

    def __init__(self, kind: str, reason: str, violations: Sequence[Violation] = ()) -> None:
        told = "; ".join(f"{one.pointer or '(root)'}: {one.message} [{one.rule}]" for one in violations[:3])
        more = f"; and {len(violations) - 3} more" if len(violations) > 3 else ""
        super().__init__(
            f"the surface template of {quote(kind)} {reason}{f': {told}{more}' if violations else ''}"
        )
        self.kind = kind
        self.violations = tuple(violations)


class UnknownArtifact(CardError):
    """The store has no artifact of that id: name one that it has.

    Attributes:
        artifact_id: What was asked for.
    """

    def __init__(self, artifact_id: object) -> None:
        super().__init__(f"the store has no artifact {quote(artifact_id)}")
        self.artifact_id = artifact_id if isinstance(artifact_id, str) else None


class TranslationFailed(CardError):
    """No `llm-context` was made; the envelope stands without it: try again, or mend what the kind says.

    Attributes:
        kind: `timeout`, `unreachable`, `refused-key`, `rate-limited`, `unavailable`, `refused`, `too-large`,
            `truncated`, `empty` or `bad-answer`.
        status: The HTTP status, where there was one.
    """

    def __init__(self, kind: str, reason: str, *, status: int | None = None) -> None:
        super().__init__(escaped(f"no llm-context was made: {reason}"))
        self.kind = kind
        self.status = status


class ApprovalRefused(CardError):
    """An answer to an approval request does not count: tell who answered what the message says.

    The message may be shown to whoever answered. It is the same for a foreign, a forged and an unknown id, so that
    nobody learns of another session; the application has `kind`.

    Attributes:
        kind: `malformed`, `forged`, `unknown`, `foreign`, `late` or `duplicate`.
        reason: What was seen and what was expected.
    """

    def __init__(self, kind: str, reason: str) -> None:
        super().__init__(escaped(reason))
        self.kind = kind
        self.reason = reason


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
