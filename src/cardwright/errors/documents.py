"""What is wrong with a document, a key, a name or an argument."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.errors.root import CardError
from cardwright_runtime.violation import escaped

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright_runtime.violation import Violation


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


class UnknownRule(CardError, LookupError):
    """No rule has that id: use one of `candidates`, or list all with `cardwright explain`.

    Attributes:
        rule: The id that was given.
        candidates: The nearest ids.
    """

    def __init__(self, rule: str, candidates: Sequence[str]) -> None:
        hint = f"did you mean {' or '.join(candidates)}?" if candidates else "list the rules: cardwright explain"
        super().__init__(escaped(f"unknown rule {rule!r}; {hint}"))
        self.rule = rule
        self.candidates = tuple(candidates)
