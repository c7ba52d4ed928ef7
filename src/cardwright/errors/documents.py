"""Errors of documents, keys, names and arguments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.errors.root import CardError
from cardwright_runtime.violation import escaped, quote

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright_runtime.violation import Violation


class MalformedDocument(CardError):
    """The bytes or the value are not a valid JSON document: fix or refuse them.

    Attributes:
        rule: The rule's id, such as `decode/duplicate-member`.
        reason: What was found and what was expected.
        offset: The offset in the bytes, or None if there is no single place.
        pointer: The place in the value (RFC 6901), or "" if the bytes could not be decoded.
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
    """The document is JSON, but not an agent card of a known dialect: specify its dialect."""


class InvalidCard(CardError):
    """The card has errors: show or fix its violations.

    Attributes:
        violations: All violations, including warnings, sorted by pointer.
    """

    def __init__(self, violations: Sequence[Violation]) -> None:
        errors = [violation for violation in violations if violation.severity == "error"]
        details = "; ".join(
            f"{error.pointer or '(root)'}: {error.message} [{error.rule}]" for error in errors[:3]
        )
        more = f"; and {len(errors) - 3} more" if len(errors) > 3 else ""
        super().__init__(f"{len(errors)} error{'s' if len(errors) != 1 else ''}: {details}{more}")
        self.violations = tuple(violations)


class BadArgument(CardError, TypeError):
    """An argument is not valid: pass a value as the message describes.

    Attributes:
        argument: The name of the argument.
    """

    def __init__(self, argument: str, reason: str) -> None:
        super().__init__(escaped(f"{argument}: {reason}"))
        self.argument = argument


class BadFunction(CardError, TypeError):
    """A function lacks information that a card requires: add it as the message describes.

    Attributes:
        function: The name of the function.
    """

    def __init__(self, function: str, reason: str) -> None:
        super().__init__(escaped(f"{function}: {reason}"))
        self.function = function


class MissingPackage(CardError, ImportError):
    """An optional package is not installed: install it."""


class SignedCard(CardError):
    """The card is signed and a fix would invalidate its signatures: allow that, or leave the card unchanged.

    Attributes:
        fixes: The number of fixes for the card.
    """

    def __init__(self, fixes: int) -> None:
        count = f"{fixes} fix{'es' if fixes != 1 else ''}"
        super().__init__(f"the card is signed: {count} would change it and invalidate its signatures")
        self.fixes = fixes


class NoCanonicalForm(CardError):
    """A profile defines no canonical form of the card: choose another profile, or fix what the message names."""


class UnsignableCard(CardError):
    """The card cannot be signed: the message says why, and what to do first."""


class BadKey(CardError):
    """A key does not fit the operation: use another key or another algorithm."""


class DuplicateEntry(CardError):
    """A registry already has that name: choose another, or keep the existing entry."""

    def __init__(self, registry: str, name: str) -> None:
        super().__init__(f"{name!r} is already registered in {registry}")
        self.registry = registry
        self.name = name


class BadName(CardError):
    """A registry does not accept that name; the message describes a valid name."""

    def __init__(self, registry: str, name: object, expected: str) -> None:
        super().__init__(f"{name!r} is not valid in {registry}; use {expected}")
        self.registry = registry
        self.name = name


class UnknownRule(CardError, LookupError):
    """No rule has that id: use one of `candidates`, or list all with `cardwright explain`.

    Attributes:
        rule: The id that was given.
        candidates: The nearest ids.
    """

    def __init__(self, rule: str, candidates: Sequence[str]) -> None:
        hint = (
            f"did you mean {' or '.join(candidates)}?" if candidates else "list the rules: cardwright explain"
        )
        super().__init__(f"unknown rule {quote(rule)}; {hint}")
        self.rule = rule
        self.candidates = tuple(candidates)
