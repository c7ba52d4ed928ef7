"""A card as it was read: the document, its dialect, and everything that is wrong with it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

from cardwright.canonical import DEFAULT_LIMITS, Limits, copied, decode_with_text, text_of
from cardwright.dialect import KNOWN, Dialect, detect, named, strongest
from cardwright.errors import InvalidCard, UnknownDialect
from cardwright.jcs import digest
from cardwright.validate import judge, vocabularies_of
from cardwright_models import DIALECTS

if TYPE_CHECKING:
    from cardwright.registries import Registries
    from cardwright_runtime.engine import Text
    from cardwright_runtime.violation import Violation
    from cardwright_runtime.wire import WireModel


@dataclass(frozen=True, slots=True)
class Card:
    """A recognised document, valid or not; frozen, unknown members kept.

    Attributes:
        document: The JSON value, member for member as it was read. It must not be changed.
        dialect: What it is judged by; `str()` gives a name such as `a2a-1.0`.
        violations: All of them, errors and warnings, sorted by pointer.
        urls_from_request: Whether a URL of it was taken from a request (its Host, or forwarded headers):
            such a card is never signed, or whoever asks would choose what is signed.

    >>> card = Card.from_document({"name": "A", "supportedInterfaces": []})
    >>> str(card.dialect), card.valid
    ('a2a-1.0', False)
    """

    document: dict[str, Any]
    dialect: Dialect
    violations: tuple[Violation, ...]
    urls_from_request: bool = False

    @classmethod
    def from_bytes(
        cls,
        body: bytes,
        *,
        dialect: Dialect | str | None = None,
        registries: Registries | None = None,
        limits: Limits = DEFAULT_LIMITS,
        text_rules: bool = False,
    ) -> Self:
        """Read, recognise and judge the bytes of a card.

        Args:
            body: UTF-8 JSON, as it came from a file or a server.
            dialect: The dialect to judge by; detected where not given.
            registries: What the application has registered; the canonical cores where not given.
            limits: How much is read.
            text_rules: Whether to look for text that instructs the model which reads it.

        Raises:
            MalformedDocument: If the bytes are no JSON that may be read.
            UnknownDialect: If no dialect is given and none is recognised.
        """
        document, text = decode_with_text(body, limits)
        return cls._judged(document, dialect, registries, text=text, text_rules=text_rules)

    @classmethod
    def from_document(
        cls,
        value: Any,
        *,
        dialect: Dialect | str | None = None,
        registries: Registries | None = None,
        limits: Limits = DEFAULT_LIMITS,
        text_rules: bool = False,
    ) -> Self:
        """Recognise and judge a JSON value; the card holds a copy of it.

        Arguments and errors are those of `from_bytes`.
        """
        document = copied(value, limits)
        return cls._judged(document, dialect, registries, text=text_of(document), text_rules=text_rules)

    @classmethod
    def _judged(
        cls,
        document: Any,
        dialect: Dialect | str | None,
        registries: Registries | None,
        *,
        text: Text | None,
        text_rules: bool,
    ) -> Self:
        if dialect is None:
            sign = strongest(document)
            name = sign[0] if sign else str(detect(document))
        else:
            name = str(named(str(dialect)))
        found = judge(document, name, vocabularies_of(registries), text=text, text_rules=text_rules)
        return cls(document, KNOWN[name], tuple(found))

    @classmethod
    def of_parts(
        cls,
        document: dict[str, Any],
        dialect: str,
        *,
        registries: Registries | None = None,
        text_rules: bool = False,
    ) -> Self:
        """Judge a document that was made of parts of decoded ones, and is neither copied nor recognised."""
        return cls._judged(document, dialect, registries, text=text_of(document), text_rules=text_rules)

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
        """The typed view, made on demand.

        Raises:
            InvalidCard: If the document has not the shape of its schema.
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
