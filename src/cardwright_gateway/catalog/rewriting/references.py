"""Rewrite the references of a card other than interfaces: its own URL, icons, documentation and signatures."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any, Final

from cardwright.conversion.notes import below
from cardwright.serve.routes import CARD_PATH
from cardwright.view.interfaces import BEACH_EXTENSION_URI
from cardwright_runtime.checks import dig, listed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright_gateway.catalog.rewriting.passage import Passage

_HIDDEN: Final = "its host is in the agent's internal network"
# The fields with interfaces in the cards of each family.
_PLACES: Final = {
    "a2a": ("supportedInterfaces", "url", "additionalInterfaces"),
    "beach": ("transports",),
    "mcp": ("url",),
}
# Dialects in which the provider's URL is optional; all others require it (A2A 0.2 §5.5.1).
_PROVIDER_URL_OPTIONAL: Final = frozenset({"a2a-0.1", "beach-1.0", "mcp-2024-11-05"})


def references(document: dict[str, Any], passage: Passage) -> None:
    """Rewrite, in place, all references of a document other than interfaces."""
    _own_card(document, "", passage)
    metadata = document.get("metadata")
    if type(metadata) is dict and "agentCard" in metadata:
        document["metadata"] = dict(metadata)
        _own_card(document["metadata"], "/metadata", passage)
    for name in ("iconUrl", "documentationUrl"):
        _optional(document, name, "", passage)
    envelope = document.get("envelope")
    if type(envelope) is dict and "a2uiCatalog" in envelope:
        document["envelope"] = dict(envelope)
        _optional(document["envelope"], "a2uiCatalog", "/envelope", passage)
    _provider(document, passage)
    for name in [name for name in document if name != "signatures"]:
        document[name] = _without_bypasses(document[name], below("", name), passage)
    _optional(document, "jku", "", passage)
    if "signatures" in document:
        del document["signatures"]
        passage.note("/signatures", "removed: the signatures do not cover the rewritten card")


def strays(document: dict[str, Any], passage: Passage) -> None:
    """Remove, in place, interfaces in fields of other dialects that bypass the gateway."""
    own_fields = _PLACES.get(passage.card.dialect.family, ())
    for name in ("supportedInterfaces", "url", "additionalInterfaces", "transports"):
        if name in own_fields or name not in document:
            continue
        value = document[name]
        why = f"removed: it bypasses the gateway, and is not a field of {passage.card.dialect}"
        if type(value) is not list:
            if _betrays(value, passage):
                del document[name]
                passage.note(f"/{name}", why)
            continue
        remaining: list[Any] = []
        for index, item in enumerate(value):
            if _betrays(item, passage):
                passage.note(below("", name, index), why)
            else:
                remaining.append(item)
        document[name] = remaining


def _betrays(value: Any, passage: Passage) -> bool:
    return any(passage.bases.bypasses_gateway(text) for text in _texts(value))


def _texts(value: Any) -> Iterator[str]:
    if type(value) is str:
        yield value
    elif type(value) in (dict, list):
        for inner in value.values() if type(value) is dict else value:
            yield from _texts(inner)


def _own_card(holder: dict[str, Any], at: str, passage: Passage) -> None:
    """Set `agentCard` to the URL of the served card (SuperX seed, URL Transformation)."""
    named = holder.get("agentCard")
    url = named.get("url") if type(named) is dict else named
    if type(url) is not str or passage.bases.is_public(url):
        return
    written = f"{passage.bases.text}{CARD_PATH}"
    holder["agentCard"] = {**named, "url": written} if type(named) is dict else written
    pointer = f"{at}/agentCard/url" if type(named) is dict else f"{at}/agentCard"
    passage.note(pointer, "replaced by the URL of the served card")


def _optional(holder: dict[str, Any], name: str, at: str, passage: Passage) -> None:
    url = holder.get(name)
    if type(url) is str and passage.bases.is_internal(url):
        del holder[name]
        passage.note(below(at, name), f"removed: {_HIDDEN}")


def _without_bypasses(value: Any, at: str, passage: Passage) -> Any:
    """Return a value without what bypasses the gateway; the same object if unchanged.

    It is any `jku` at an internal host (RFC 7515 §4.1.2), and any transport in the parameters of the Beach extension.
    """
    if type(value) is dict:
        made = {name: _without_bypasses(inner, below(at, name), passage) for name, inner in value.items()}
        _optional(made, "jku", at, passage)
        transports = listed(dig(made, ("params", "transports")))
        if value.get("uri") == BEACH_EXTENSION_URI and _betrays(transports, passage):
            left = [one for one in transports if not _betrays(one, passage)]
            made["params"] = {**made["params"], "transports": left}
            passage.note(below(at, "params", "transports"), "those that bypass the gateway are removed")
        same = made.keys() == value.keys() and all(made[name] is value[name] for name in made)
        return value if same else made
    if type(value) is list:
        items = [_without_bypasses(inner, below(at, index), passage) for index, inner in enumerate(value)]
        return value if all(map(operator.is_, items, value)) else items
    return value


def _provider(document: dict[str, Any], passage: Passage) -> None:
    """Remove a `provider.url` at an internal host, or replace it by the gateway's origin if it is required."""
    provider = document.get("provider")
    url = provider.get("url") if type(provider) is dict else None
    if type(provider) is not dict or type(url) is not str or not passage.bases.is_internal(url):
        return
    if str(passage.card.dialect) in _PROVIDER_URL_OPTIONAL:
        document["provider"] = {name: value for name, value in provider.items() if name != "url"}
        passage.note("/provider/url", f"removed: {_HIDDEN}")
    else:
        document["provider"] = {**provider, "url": passage.bases.origin}
        why = f"replaced by the gateway's origin: {_HIDDEN}, and this dialect requires provider.url"
        passage.note("/provider/url", why)
