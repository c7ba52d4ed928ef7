"""`Card`: a document with its dialect and its violations."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Self

from cardwright.canonical import checked_copy, decode_with_text, text_of
from cardwright.checks import DEFAULT_CHECKS, Checks
from cardwright.dialect import KNOWN, Detection, Dialect, detect, detected_name, named
from cardwright.errors import InvalidCard, UnknownDialect
from cardwright.jcs import digest
from cardwright.validator import violations_of
from cardwright.view import CardView, view_of
from cardwright_models import DIALECTS

if TYPE_CHECKING:
    from cardwright_runtime.engine import Text
    from cardwright_runtime.violation import JsonObject, Violation
    from cardwright_runtime.wire import WireModel


@dataclass(frozen=True, slots=True)
class Card:
    """A document of a known dialect, valid or not; frozen, with unknown fields.

    Attributes:
        document: The JSON object with all its fields. It must not be changed.
        dialect: The dialect that it is validated as; `str()` gives a name such as `a2a-1.0`.
        violations: All violations, errors and warnings, sorted by pointer.
        found_at: The URL or path that the document was read from, or "".

    >>> card = Card.from_document({"name": "A", "supportedInterfaces": []})
    >>> str(card.dialect), card.valid
    ('a2a-1.0', False)
    """

    document: JsonObject
    dialect: Dialect
    violations: tuple[Violation, ...]
    found_at: str = field(default="", compare=False)

    @classmethod
    def from_bytes(
        cls,
        body: bytes,
        *,
        dialect: Dialect | str | None = None,
        checks: Checks = DEFAULT_CHECKS,
        found_at: str = "",
    ) -> Self:
        """Decode a card, detect its dialect and validate it.

        Args:
            body: UTF-8 JSON from a file or a server.
            dialect: The dialect to validate as; detected by default.
            checks: The registries, limits and rule sets to validate with.
            found_at: The URL or path that the card was read from; a well-known path is evidence for its version.

        Raises:
            MalformedDocument: If the bytes are not JSON, or exceed a limit.
            UnknownDialect: If no dialect is given and none is detected.
        """
        document, text = decode_with_text(body, checks.limits)
        return cls._validated(document, dialect, checks, text, found_at)

    @classmethod
    def from_document(
        cls,
        value: JsonObject,
        *,
        dialect: Dialect | str | None = None,
        checks: Checks = DEFAULT_CHECKS,
        found_at: str = "",
    ) -> Self:
        """Detect the dialect of a JSON object and validate a copy of it.

        Arguments and errors are those of `from_bytes`.
        """
        document = checked_copy(value, checks.limits)
        return cls._validated(document, dialect, checks, text_of(document), found_at)

    @classmethod
    def of_parts(
        cls,
        document: JsonObject,
        dialect: Dialect | str,
        *,
        checks: Checks = DEFAULT_CHECKS,
        found_at: str = "",
    ) -> Self:
        """Validate a document that was built from decoded ones, without a copy and without detection."""
        return cls._validated(document, dialect, checks, text_of(document), found_at)

    @classmethod
    def _validated(
        cls,
        document: Any,
        dialect: Dialect | str | None,
        checks: Checks,
        text: Text | None,
        found_at: str,
    ) -> Self:
        if dialect is None:
            name = detected_name(document, found_at) or str(detect(document))
        else:
            name = str(named(str(dialect)))
        return cls(document, KNOWN[name], tuple(violations_of(document, name, checks, text=text)), found_at)

    @property
    def detection(self) -> Detection | None:
        """How its dialect is known; None if the document has another one, or none: the caller gave it."""
        try:
            detection = detect(self.document, found_at=self.found_at)
        except UnknownDialect:
            return None
        return detection if detection.dialect == self.dialect else None

    @property
    def errors(self) -> tuple[Violation, ...]:
        """The violations that are errors."""
        return tuple(violation for violation in self.violations if violation.severity == "error")

    @property
    def valid(self) -> bool:
        """Whether no violation is an error."""
        return all(violation.severity != "error" for violation in self.violations)

    @property
    def digest(self) -> str:
        """`sha256:` and the digest of the RFC 8785 bytes: equal for equal JSON values."""
        return digest(self.document)

    @property
    def view(self) -> CardView:
        """What the card says, with defaults applied: the same fields for every dialect, valid or not.

        >>> card = Card.from_document({"name": "A", "supportedInterfaces": [], "capabilities": {}})
        >>> card.view.streaming
        False
        """
        return view_of(self)

    @property
    def model(self) -> WireModel:
        """The typed model of the dialect's schema, created on demand; to read a card, `view` is simpler.

        A field that the card does not have is its default in the schema, or else `pydantic.MISSING`, which is true
        in a condition: compare it with `is MISSING`.

        Raises:
            InvalidCard: If the document does not have the shape of its schema.
            UnknownDialect: If the dialect has no model of its own, like a hybrid.
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
            InvalidCard: With all violations, including warnings, if one of them is an error.
        """
        if not self.valid:
            raise InvalidCard(self.violations)
        return self
