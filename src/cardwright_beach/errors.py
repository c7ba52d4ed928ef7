"""Errors of envelopes, parts, surfaces, artifacts, translations and approvals."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.errors.root import CardError
from cardwright_runtime.violation import escaped, quote

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright_runtime.violation import Violation


def _summary(violations: Sequence[Violation]) -> str:
    """Return the first three violations as text."""
    text = "; ".join(
        f"{violation.pointer or '(root)'}: {violation.message} [{violation.rule}]"
        for violation in violations[:3]
    )
    return f"{text}; and {len(violations) - 3} more" if len(violations) > 3 else text


class BadPart(CardError):
    """A part of an envelope is not valid; fix the fields that the message names. Other parts are not affected.

    Attributes:
        type: Its part type, or None.
        index: Its position in the turn, counted from 0; None for a part outside a turn.
        violations: All violations, sorted by pointer into the part.
    """

    def __init__(self, part_type: object, violations: Sequence[Violation], index: int | None = None) -> None:
        which = "part" if index is None else f"part {index}"
        kind = f" ({escaped(part_type[:128])})" if isinstance(part_type, str) else ""
        super().__init__(f"{which}{kind}: {_summary(violations)}")
        self.type = part_type if isinstance(part_type, str) else None
        self.index = index
        self.violations = tuple(violations)


class BadEnvelope(CardError):
    """A document is not a valid envelope. Invalid parts are reported as `BadPart` instead.

    Attributes:
        violations: All violations, sorted by pointer.
    """

    def __init__(self, violations: Sequence[Violation]) -> None:
        super().__init__(f"invalid envelope: {_summary(violations)}")
        self.violations = tuple(violations)


class EnvelopeSpent(CardError):
    """The stream of an envelope has started, so a new receiver would miss its first parts."""

    def __init__(self, event_id: str) -> None:
        message = "the stream has started; call deliver for every receiver before reading the first part"
        super().__init__(escaped(f"{event_id}: {message}"))
        self.event_id = event_id


class SurfaceFailed(CardError):
    """A surface template failed; fix the template. The data is sent without a surface.

    An exception of the template is chained and not repeated in the message.

    Attributes:
        kind: The kind of data that the template is registered for.
        violations: Violations of its messages, sorted by pointer; empty if it returned nothing.
    """

    def __init__(self, kind: str, reason: str, violations: Sequence[Violation] = ()) -> None:
        details = f": {_summary(violations)}" if violations else ""
        super().__init__(f"the surface template of {quote(kind)} {reason}{details}")
        self.kind = kind
        self.violations = tuple(violations)


class UnknownArtifact(CardError):
    """The store has no artifact with this id.

    Attributes:
        artifact_id: The requested id.
    """

    def __init__(self, artifact_id: object) -> None:
        super().__init__(f"the store has no artifact {quote(artifact_id)}")
        self.artifact_id = artifact_id if isinstance(artifact_id, str) else None


class TranslationFailed(CardError):
    """The translator wrote no `llm-context`; the envelope is delivered without it. `kind` says whether to retry.

    Attributes:
        kind: `timeout`, `unreachable`, `refused-key`, `rate-limited`, `unavailable`, `refused`, `too-large`,
            `truncated`, `empty` or `bad-answer`.
        status: The HTTP status, or None.
    """

    def __init__(self, kind: str, reason: str, *, status: int | None = None) -> None:
        super().__init__(escaped(f"no llm-context was written: {reason}"))
        self.kind = kind
        self.status = status


class ApprovalRefused(CardError):
    """An approval response is not accepted; show the message to the sender.

    The message is the same for foreign, forged and unknown ids, so that it reveals nothing about other sessions.
    The application can read `kind`.

    Attributes:
        kind: `malformed`, `forged`, `unknown`, `foreign`, `late` or `duplicate`.
        reason: The reason as text.
    """

    def __init__(self, kind: str, reason: str) -> None:
        super().__init__(escaped(reason))
        self.kind = kind
        self.reason = reason
