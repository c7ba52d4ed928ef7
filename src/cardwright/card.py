"""`Card`, `ServerCard` and `Catalog`: a document with its dialect and its violations."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Self, TypeVar

from cardwright.canonical import checked_copy, decode_with_text, text_of
from cardwright.checks import DEFAULT_CHECKS, Checks
from cardwright.dialect import KNOWN, Detection, Dialect, detect, detected_name, named
from cardwright.errors import BadArgument, InvalidCard, UnknownDialect
from cardwright.event_stream import stream_as_json
from cardwright.jcs import digest
from cardwright.validator import violations_of
from cardwright.view import CardView, view_of
from cardwright.view.fields import items, string
from cardwright_rules import CATALOGS, DIALECTS, MESSAGES, ROWS, SERVERS
from cardwright_runtime.on_demand import OnDemand

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cardwright_models.base import WireModel
    from cardwright_rules import DialectRow
    from cardwright_runtime.text import Text
    from cardwright_runtime.violation import JsonObject, Violation

_Model = TypeVar("_Model", bound="WireModel")
_GATEWAY: Final = "the gateway puts a running MCP server behind an A2A card"


@dataclass(frozen=True, slots=True)
class Document(OnDemand):
    """A document of a known dialect, valid or not; frozen, with unknown fields: a `Card`, a `ServerCard` or a `Catalog`.

    Attributes:
        document: The JSON object with all its fields. It must not be changed.
        dialect: The dialect that it is validated as; `str()` gives a name such as `a2a-1.0`.
        violations: All violations, errors and warnings, sorted by pointer.
        found_at: The URL or path that the document was read from, or "".
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
        """Decode a document, detect its dialect and validate it.

        Args:
            body: UTF-8 JSON from a file or a server; messages also as Server-Sent Events.
            dialect: The dialect to validate as; detected by default.
            checks: The registries, limits and rule sets to validate with.
            found_at: The URL or path that it was read from; a well-known path is evidence for its version.

        Raises:
            MalformedDocument: If the bytes are not JSON, or exceed a limit.
            UnknownDialect: If no dialect is given and none is detected, or if it is a dialect of another class.
        """
        document, text = decode_with_text(stream_as_json(body), checks.limits)
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
    def of_conversion(cls, document: JsonObject, dialect: str, *, checks: Checks = DEFAULT_CHECKS) -> Self:
        """Return the result of a conversion to a dialect of this class; it is validated when `violations` is read."""

        def compute() -> dict[str, Any]:
            text = text_of(document)
            return {"violations": tuple(violations_of(document, dialect, checks, text=text))}

        return cls.on_demand(compute, document=document, dialect=KNOWN[dialect], found_at="")

    @classmethod
    def _validated(
        cls, document: Any, dialect: Dialect | str | None, checks: Checks, text: Text | None, found_at: str
    ) -> Self:
        if dialect is None:
            name = detected_name(document, found_at) or str(detect(document, found_at=found_at))
        else:
            name = str(named(str(dialect)))
        kind = next(kind for kind, rows in _CLASSES.items() if name in rows)
        if not issubclass(kind, cls):
            raise UnknownDialect(_another_class(name, cls))
        violations = tuple(violations_of(document, name, checks, text=text))
        return kind(document, KNOWN[name], violations, found_at)

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
    def model(self) -> WireModel:
        """The typed model of the dialect's schema, created on demand; to read a card, `view` is simpler.

        A field that the document does not have is None. `model_as` returns it with its type.

        Raises:
            InvalidCard: If it does not have the shape of its schema.
            UnknownDialect: If the dialect has no model of its own, like a hybrid.
        """
        try:
            return self.model_as(ROWS[str(self.dialect)].model_class())
        except LookupError as error:
            raise UnknownDialect(str(error)) from error

    def model_as(self, model: type[_Model]) -> _Model:
        """Return the document as a model of `cardwright_models`, or of a subclass of one.

        A hybrid can be read as each of its versions.

        >>> from cardwright_models.a2a_v0_3 import AgentProvider
        >>> Card({"organization": "Port", "url": "u"}, KNOWN["a2a-0.3"], ()).model_as(AgentProvider).organization
        'Port'

        Raises:
            BadArgument: If a valid document does not have the shape of the model, which is one of another dialect.
            InvalidCard: If an invalid one does not.
        """
        from pydantic import ValidationError

        try:
            return model.from_wire(self.document)
        except ValidationError as error:
            shape = [violation for violation in self.violations if violation.rule.startswith("schema/")]
            if self.valid:
                raise BadArgument(
                    "model", f"{model.__name__} is not a model of {self.dialect}: convert the card"
                ) from error
            raise InvalidCard(shape or self.violations) from error

    def check(self) -> Self:
        """Return the document itself if it is valid.

        Raises:
            InvalidCard: With all violations, including warnings, if one of them is an error.
        """
        if not self.valid:
            raise InvalidCard(self.violations)
        return self


@dataclass(frozen=True, slots=True)
class Card(Document):
    """An agent card of a known dialect, valid or not.

    >>> card = Card.from_document({"name": "A", "supportedInterfaces": []})
    >>> str(card.dialect), card.valid
    ('a2a-1.0', False)
    """

    @property
    def view(self) -> CardView:
        """What the card says, with defaults applied: the same fields for every dialect, valid or not.

        >>> card = Card.from_document({"name": "A", "supportedInterfaces": [], "capabilities": {}})
        >>> card.view.streaming
        False
        """
        return view_of(self)


@dataclass(frozen=True, slots=True)
class ServerCard(Document):
    """The description of an MCP server, valid or not: an MCP server card, or a server.json of the MCP registry.

    >>> remote = {"type": "streamable-http", "url": "https://example.com/mcp"}
    >>> schema = "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json"
    >>> server = ServerCard.from_document({"$schema": schema, "name": "com.example/tides", "remotes": [remote]})
    >>> str(server.dialect), server.valid, server.endpoints
    ('mcp-server-card-1', False, ('https://example.com/mcp',))
    """

    @property
    def endpoints(self) -> tuple[str, ...]:
        """The URLs of the server, as they are written; those of packages that run elsewhere are not among them."""
        older = string(self.document, "transport", "endpoint")
        remotes = (string(remote, "url") for remote in items(self.document, "remotes"))
        return tuple(url for url in (*remotes, older) if url)


@dataclass(frozen=True, slots=True)
class CatalogEntry:
    """An entry of a catalogue; a text is "" if the entry does not have it.

    Attributes:
        index: Its index in the catalogue.
        identifier: The identifier, usually `urn:air:`, the publisher's domain, a namespace and a name.
        name: The display name.
        type: The media type of the resource's own description; the older field `mediaType` counts, too.
        url: The URL of that description.
        data: The description itself, or None.
    """

    index: int
    identifier: str
    name: str
    type: str
    url: str
    data: Any


@dataclass(frozen=True, slots=True)
class Catalog(Document):
    """A catalogue of agents and other resources, valid or not: an ARD manifest or an AI catalogue.

    >>> entry = {"identifier": "urn:air:example.com:agents:tides", "displayName": "Tides", "url": "https://example.com/"}
    >>> catalog = Catalog.from_document({"entries": [entry]})
    >>> str(catalog.dialect), catalog.valid, catalog.entries[0].name
    ('ard-0.91', False, 'Tides')
    """

    @property
    def entries(self) -> tuple[CatalogEntry, ...]:
        """The entries that are objects, in order; a value of another type than expected counts as absent."""
        return tuple(
            CatalogEntry(
                index=index,
                identifier=string(entry, "identifier"),
                name=string(entry, "displayName"),
                type=string(entry, "type") or string(entry, "mediaType"),
                url=string(entry, "url"),
                data=entry.get("data"),
            )
            for index, entry in enumerate(items(self.document, "entries"))
            if isinstance(entry, dict)
        )


@dataclass(frozen=True, slots=True)
class ProtocolMessage(Document):
    """What agents send each other, valid or not: a request, a response, a task, a message, an event, or a stream of them.

    >>> sent = {"jsonrpc": "2.0", "id": 1, "method": "message/send", "params": {}}
    >>> message = ProtocolMessage.from_document(sent)
    >>> str(message.dialect), message.errors[0].pointer
    ('a2a-messages-0.3', '/params/message')
    """

    @property
    def elements(self) -> tuple[JsonObject, ...]:
        """The elements of a stream in order; of any other document the document itself."""
        document: Any = self.document
        return tuple(document) if type(document) is list else (document,)


_CLASSES: Final[dict[type[Document], Mapping[str, DialectRow]]] = {
    Card: DIALECTS,
    ServerCard: SERVERS,
    Catalog: CATALOGS,
    ProtocolMessage: MESSAGES,
}


def _another_class(name: str, wanted: type[Document]) -> str:
    """Return why a document of a dialect cannot be read as a document of another class."""
    names: dict[type[Document], str] = {
        Card: "an agent card",
        ServerCard: "a description of an MCP server",
        Catalog: "a catalogue",
        ProtocolMessage: "a message",
    }
    what = names[wanted]
    if name in CATALOGS:
        return f"not {what}, but a catalogue ({CATALOGS[name].title}): check the cards that its entries name"
    if name in SERVERS:
        return f"not {what}, but a description of an MCP server ({SERVERS[name].title}): {_GATEWAY}"
    if name in MESSAGES:
        return f"not {what}, but what agents send each other ({MESSAGES[name].title})"
    return f"not {what}, but an agent card of the dialect {name}"
