"""What is wrong with an envelope, its parts, or what they need."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.errors.root import CardError
from cardwright_runtime.violation import escaped, quote

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright_runtime.violation import Violation


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
