"""What a card is found by: facets and texts, read fast and of any shape, and no more than is worth indexing.

`cardwright.outline` reads a card for people and takes many times as long.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from cardwright.conversion.extensions import BEACH_EXTENSION_URI
from cardwright.store.tokenizer import asked_words, folded, marked, spaced, words_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from cardwright.store.records import Query

# More of one kind no honest card has (ours).
MAX_ENTRIES: Final = 64
# A whole text, and all texts of a card together (ours).
TEXT_CHARACTERS: Final = 2_000
CARD_CHARACTERS: Final = 16_000
# Words of a query that are looked for (ours).
QUERY_CHARACTERS: Final = 1_000
QUERY_WORDS: Final = 16

# Marks of words that no text has, from the private area and below those of `words.marked`.
ANY, NAME, WHOLE_NAME, HEADLINE = "\ue200", "\ue201", "\ue202", "\ue203"
_KINDS: Final = {
    "tags": "\ue210",
    "protocols": "\ue211",
    "versions": "\ue212",
    "modes": "\ue213",
    "extensions": "\ue214",
    "auth": "\ue215",
    "consumes": "\ue216",
    "provider": "\ue217",
    "dialects": "\ue218",
    "valid": "\ue219",
}
# A card has one of each of these.
_SINGLE: Final = frozenset({"provider", "dialects"})
# A2A 1.0 §4.5.1 wraps what 0.x tells apart by `type`.
_WRAPPERS: Final = {
    "apiKeySecurityScheme": "apiKey",
    "httpAuthSecurityScheme": "http",
    "oauth2SecurityScheme": "oauth2",
    "openIdConnectSecurityScheme": "openIdConnect",
    "mtlsSecurityScheme": "mutualTLS",
}
# A2A 0.3 §5.6.1: what `url` speaks where `preferredTransport` does not say.
_DEFAULT_TRANSPORT: Final = "JSONRPC"


@dataclass(frozen=True, slots=True)
class Facets:
    """What a card says that it may be looked for by, as it says it.

    Attributes:
        titles: Names and ids of its skills.
        texts: Descriptions and examples.
    """

    name: str
    description: str
    provider: str
    titles: tuple[str, ...]
    texts: tuple[str, ...]
    tags: tuple[str, ...]
    protocols: tuple[str, ...]
    versions: tuple[str, ...]
    modes: tuple[str, ...]
    extensions: tuple[str, ...]
    auth: tuple[str, ...]
    consumes: tuple[str, ...]


def facets_of(document: Any, family: str) -> Facets:
    """Return the facets of a card of any shape; what is not of the type that it should be is passed over."""
    card = document if type(document) is dict else {}
    return _beach(card) if family == "beach" else _a2a(card, family)


def indexed_words(facets: Facets, dialect: str, *, valid: bool) -> set[str]:
    """Return every word by which a card is found, marked ones too."""
    named = words_of(spaced(facets.name))
    headline = words_of(spaced("\n".join((facets.provider, *facets.titles, *facets.tags))))
    found = set(words_of("\n".join((facets.description, *facets.texts))[:CARD_CHARACTERS]))
    found.update(named, headline)
    found.update([NAME + word for word in named])
    found.update([HEADLINE + word for word in named])
    found.update([HEADLINE + word for word in headline])
    found.add(ANY)
    found.add(asked_name(facets.name))
    found.update(marked(_KINDS["valid"], ("yes" if valid else "no",)))
    found.update(marked(_KINDS["dialects"], (dialect,)))
    if facets.provider:
        found.update(marked(_KINDS["provider"], (facets.provider,)))
    for kind in ("tags", "protocols", "versions", "modes", "extensions", "auth", "consumes"):
        if values := getattr(facets, kind):
            found.update(marked(_KINDS[kind], values))
    return found


def plain_words(words: Iterable[str]) -> set[str]:
    """Return those of a card's words that stand in a text."""
    return {word for word in words if not "\ue000" <= word[0] <= "\ue2ff"}


def asked_facets(query: Query) -> list[tuple[str, ...]]:
    """Return the groups of words that a query's filters ask for: one of each group."""
    groups: list[tuple[str, ...]] = []
    for kind, mark in _KINDS.items():
        if kind == "valid":
            continue
        wanted = tuple(marked(mark, getattr(query, kind)))
        groups += [wanted] if kind in _SINGLE and wanted else [(one,) for one in wanted]
    if query.valid is not None:
        groups.append(tuple(marked(_KINDS["valid"], ("yes" if query.valid else "no",))))
    return groups


def asked_name(text: str) -> str:
    """Return the word that a card has whose name is a text."""
    return marked(WHOLE_NAME, (" ".join(text.split()),))[0]


def query_words(text: str) -> list[str]:
    """Return the words of a query's text that are looked for."""
    return asked_words(text[:QUERY_CHARACTERS])[:QUERY_WORDS]


def snippet_of(facets: Facets, words: Iterable[str]) -> str:
    """Return the text that has the first word that any text has; "" where none does."""
    texts = [
        facets.description,
        *facets.texts,
        facets.name,
        *facets.titles,
        " ".join(facets.tags),
        facets.provider,
    ]
    plain = [folded(text) for text in texts]
    for word in words:
        for text, searched in zip(texts, plain, strict=True):
            at = searched.find(word)
            if at >= 0:
                begin = max(0, at - 60)
                return f"{'…' if begin else ''}{text[begin : at + 120]}{'…' if len(text) > at + 120 else ''}"
    return ""


def _a2a(card: dict[str, Any], family: str) -> Facets:
    """Read an A2A card of any version, a hybrid, or a card made from an MCP server."""
    skills = _objects(card.get("skills"))
    capabilities = _object(card.get("capabilities"))
    interfaces = [*_objects(card.get("supportedInterfaces")), *_objects(card.get("additionalInterfaces"))]
    extensions = _objects(capabilities.get("extensions"))
    bindings = [_text(one.get("protocolBinding")) or _text(one.get("transport")) for one in interfaces]
    if family == "a2a" and ("url" in card or "preferredTransport" in card):
        bindings.append(_text(card.get("preferredTransport")) or _DEFAULT_TRANSPORT)
    versions = [_text(one.get("protocolVersion")) for one in interfaces]
    versions.append(_text(card.get("protocolVersion")))
    modes = _texts(card.get("defaultInputModes")) + _texts(card.get("defaultOutputModes"))
    titles: list[str] = []
    texts: list[str] = []
    tags: list[str] = []
    for skill in skills:
        titles += (_text(skill.get("name")), _text(skill.get("id")))
        texts.append(_text(skill.get("description")))
        texts += _texts(skill.get("examples"))
        tags += _texts(skill.get("tags"))
        modes += _texts(skill.get("inputModes")) + _texts(skill.get("outputModes"))
    provider = card.get("provider")
    return Facets(
        name=_text(card.get("name")),
        description=_text(card.get("description")),
        provider=_text(provider) or _text(_object(provider).get("organization")),
        titles=_once(titles),
        texts=_once(texts),
        tags=_once(tags),
        protocols=_once([family, _text(card.get("protocol")), *bindings]),
        versions=_with_minor(versions),
        modes=_once(modes),
        extensions=_once([_text(one.get("uri")) for one in extensions]),
        auth=_once(_auth(card)),
        consumes=_once(_consumed(extensions)),
    )


def _beach(card: dict[str, Any]) -> Facets:
    capabilities = _objects(card.get("capabilities"))
    transports = _objects(card.get("transports"))
    texts = [_text(one.get("description")) for one in capabilities]
    for one in capabilities:
        texts += _texts(one.get("examples"))
    named = [_text(one.get("id")) for one in capabilities] + [_text(one.get("name")) for one in capabilities]
    provider = card.get("provider")
    return Facets(
        name=_text(card.get("name")),
        description=_text(card.get("description")),
        provider=_text(provider) or _text(_object(provider).get("name")),
        titles=_once([_text(card.get("displayName")), *named]),
        texts=_once(texts),
        tags=(),
        protocols=_once([_text(one.get("protocol")) for one in transports]),
        versions=_with_minor([_text(one.get("version")) for one in transports]),
        modes=(),
        extensions=_once(islice(_object(card.get("extensions")), MAX_ENTRIES)),
        auth=_once([_text(_object(one.get("auth")).get("type")) for one in transports]),
        consumes=_once(_texts(_object(card.get("envelope")).get("consumes"))),
    )


def _auth(card: dict[str, Any]) -> Iterator[str]:
    """Return the kinds of authentication, in both encodings; of HTTP's also the scheme."""
    for scheme in islice(_object(card.get("securitySchemes")).values(), MAX_ENTRIES):
        if type(scheme) is not dict:
            continue
        for wrapper, kind in _WRAPPERS.items():
            if wrapper in scheme:
                yield kind
                yield _text(_object(scheme[wrapper]).get("scheme"))
        yield _text(scheme.get("type"))
        yield _text(scheme.get("scheme"))
    yield from _texts(_object(card.get("authentication")).get("schemes"))


def _consumed(extensions: list[dict[str, Any]]) -> list[str]:
    for one in extensions:
        if one.get("uri") == BEACH_EXTENSION_URI:
            return _texts(_object(one.get("params")).get("envelopeConsumes"))
    return []


def _with_minor(versions: list[str]) -> tuple[str, ...]:
    """Return the versions, and those with a patch number also without it."""
    shorter = [version.rpartition(".")[0] for version in versions if version.count(".") == 2]
    return _once(versions + shorter)


def _object(value: Any) -> dict[str, Any]:
    return value if type(value) is dict else {}


def _objects(value: Any) -> list[dict[str, Any]]:
    return [one for one in value[:MAX_ENTRIES] if type(one) is dict] if type(value) is list else []


def _text(value: Any) -> str:
    return value[:TEXT_CHARACTERS] if type(value) is str else ""


def _texts(value: Any) -> list[str]:
    return (
        [one[:TEXT_CHARACTERS] for one in value[:MAX_ENTRIES] if type(one) is str]
        if type(value) is list
        else []
    )


def _once(values: Iterable[str]) -> tuple[str, ...]:
    found = dict.fromkeys(values)
    found.pop("", None)
    return tuple(found) if len(found) <= MAX_ENTRIES else tuple(islice(found, MAX_ENTRIES))
