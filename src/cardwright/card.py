"""A card as it was read: the document, its dialect and its violations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

from cardwright.canonical import copied, decode_with_text, text_of
from cardwright.checks import DEFAULT_CHECKS, Checks
from cardwright.dialect import KNOWN, Dialect, detect, named, strongest
from cardwright.errors import InvalidCard, UnknownDialect
from cardwright.jcs import digest
from cardwright.validator import violations_of
from cardwright_models import DIALECTS

if TYPE_CHECKING:
    from cardwright_runtime.engine import Text
    from cardwright_runtime.violation import JsonObject, Violation
    from cardwright_runtime.wire import WireModel


@dataclass(frozen=True, slots=True)
class Card:
    """A recognised document, valid or not; frozen, unknown fields kept.

    Attributes:
        document: The JSON object, field for field as it was read. It must not be changed.
        dialect: What it is validated by; `str()` gives a name such as `a2a-1.0`.
        violations: All of them, errors and warnings, sorted by pointer.

    >>> card = Card.from_document({"name": "A", "supportedInterfaces": []})
    >>> str(card.dialect), card.valid
    ('a2a-1.0', False)
    """

    document: JsonObject
    dialect: Dialect
    violations: tuple[Violation, ...]

    @classmethod
    def from_bytes(
        cls, body: bytes, *, dialect: Dialect | str | None = None, checks: Checks = DEFAULT_CHECKS
    ) -> Self:
        """Read, recognise and validate the bytes of a card.

        Args:
            body: UTF-8 JSON, as it came from a file or a server.
            dialect: The dialect to validate by; detected where not given.
            checks: The registries, limits and rule sets to validate with.

        Raises:
            MalformedDocument: If the bytes are not JSON, or past a limit.
            UnknownDialect: If no dialect is given and none is recognised.
        """
        document, text = decode_with_text(body, checks.limits)
        return cls._validated(document, dialect, checks, text)

    @classmethod
    def from_document(
        cls, value: JsonObject, *, dialect: Dialect | str | None = None, checks: Checks = DEFAULT_CHECKS
    ) -> Self:
        """Recognise and validate a JSON object; the card holds a copy of it.

        Arguments and errors are those of `from_bytes`.
        """
        document = copied(value, checks.limits)
        return cls._validated(document, dialect, checks, text_of(document))

    @classmethod
    def of_parts(
        cls, document: JsonObject, dialect: Dialect | str, *, checks: Checks = DEFAULT_CHECKS
    ) -> Self:
        """Validate a document that was assembled from decoded ones: it is neither copied nor recognised."""
        return cls._validated(document, dialect, checks, text_of(document))

    @classmethod
    def _validated(
        cls, document: Any, dialect: Dialect | str | None, checks: Checks, text: Text | None
    ) -> Self:
        if dialect is None:
            sign = strongest(document)
            name = sign[0] if sign else str(detect(document))
        else:
            name = str(named(str(dialect)))
        return cls(document, KNOWN[name], tuple(violations_of(document, name, checks, text=text)))

    @property
    def errors(self) -> tuple[Violation, ...]:
        """The violations that are errors, and not warnings."""
        return tuple(violation for violation in self.violations if violation.severity == "error")

    @property
    def valid(self) -> bool:
        """Whether no violation is an error."""
        return all(violation.severity != "error" for violation in self.violations)

    @property
    def digest(self) -> str:
        """`sha256:` and the digest of the RFC 8785 bytes: equal where the JSON values are equal."""
        return digest(self.document)

    @property
    def model(self) -> WireModel:
        """The typed view, created on demand.

        Raises:
            InvalidCard: If the document does not have the shape of its schema.
            UnknownDialect: If the dialect has no model of its own, as a hybrid has none.
        """
        from pydantic import ValidationError

        try:
            model = DIALECTS[str(self.dialect)].model_class()
        except LookupError as error:
            raise UnknownDialect(str(error)) from error
        try:
            return model.from_wire(self.document)
        except ValidationError as error:
            shape = [violation for violation in self.violations if violation.rule.startswith("schema/")]
            raise InvalidCard(shape or self.violations) from error

    def check(self) -> Self:
        """Return the card itself if it is valid.

        Raises:
            InvalidCard: With all violations, warnings too, if there is an error among them.
        """
        if not self.valid:
            raise InvalidCard(self.violations)
        return self
