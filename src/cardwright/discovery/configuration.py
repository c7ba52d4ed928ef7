"""`agents.yml` and `agents.json`: the settings of a registry and its peers, validated by a JSON Schema."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import orjson

from cardwright.discovery.candidates import given, key_of
from cardwright.discovery.header_settings import check_header
from cardwright.discovery.local_cards import card_key, file_key
from cardwright.errors import BadArgument, BadConfiguration, BadKey, ConnectionDenied
from cardwright.regular_file import read_regular_file
from cardwright.settings_file import Place, faults, read_settings, resolve_settings
from cardwright.signing import KeySet
from cardwright.store import PeerSettings
from cardwright_runtime.engine import compile_schema, load

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from jsonschema_rs import Validator


@dataclass(frozen=True, slots=True)
class PeerEntry:
    """The settings of one peer: the stored ones, and those that are never stored.

    Attributes:
        settings: The stored settings.
        headers: Header fields for its origin only; they may be secrets.
        exact: Whether its URL is that of the card; None: derive it from the form of the URL.
        configured: Its origin, if it is in a file: connections to it are allowed at any address.
        card: The card itself, as JSON, if it is in the settings.
    """

    settings: PeerSettings
    headers: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    exact: bool | None = None
    configured: str | None = None
    card: bytes | None = field(default=None, repr=False)


def entries(peers: Iterable[str | Mapping[str, Any]]) -> tuple[PeerEntry, ...]:
    """Return the entries of peers in code: URLs, or mappings with the fields of the file.

    A relative path in `file` is relative to the working folder; `card` is a document, such as `Card.document`.

    Raises:
        BadArgument: If one is neither, or has an unknown or invalid field.
        ConnectionDenied: If requests to a URL are not allowed.
    """
    if isinstance(peers, (str, Mapping)):
        raise BadArgument("peers", "expected a list of peers, found one peer; write [peer]")
    value = _with_peer_objects(
        {"peers": [dict(peer) if isinstance(peer, Mapping) else peer for peer in peers]}
    )
    violations = faults(value, _validator(), _schema())
    if violations:
        raise BadArgument("peers", "; ".join(violations).replace("/peers/", "/"))
    try:
        return tuple(_entry(peer, "library", f"/{index}") for index, peer in enumerate(value["peers"]))
    except BadConfiguration as error:
        raise BadArgument("peers", str(error)) from None


def read_agents_file(
    path: str | os.PathLike[str],
    *,
    environ: Mapping[str, str] | None = None,
    will_fetch: bool = True,
    found: bool = False,
) -> tuple[Mapping[str, Any], tuple[PeerEntry, ...]]:
    """Read `agents.yml`, `agents.yaml` or `agents.json`; return its settings with absolute paths, and its peers.

    The settings are the JSON object that the schema accepts: typed models would load pydantic for six fields.

    Args:
        path: The file; anything that does not end in `.json` is read as YAML.
        environ: Where `${NAME}` in a header is looked up; the process's own environment if not given.
        will_fetch: Whether peers will be requested; if not, headers are left out and nothing is looked up for them.
        found: Whether the file was found in the working folder, not named by the user: then `${NAME}` is refused.

    Raises:
        BadConfiguration: If it cannot be read, or has faults; each is named with its JSON Pointer.
        ConnectionDenied: If requests to a URL are not allowed.
    """
    file = Path(path)
    value = _with_peer_objects(read_settings(file))
    violations = faults(value, _validator(), _schema())
    if violations:
        raise BadConfiguration(str(file), "; ".join(violations))
    if not will_fetch:
        value = {**value, "peers": [_without_headers(peer) for peer in value["peers"]]}
    variables = None if found else os.environ if environ is None else environ
    place = Place(file.absolute().parent, variables)
    try:
        value = resolve_settings(value, _schema(), _schema(), place)
        peers = tuple(_entry(peer, "file", f"/peers/{index}") for index, peer in enumerate(value["peers"]))
    except BadConfiguration as error:
        raise BadConfiguration(str(file), error.reason) from None
    except ConnectionDenied as error:
        raise ConnectionDenied(error.rule, error.reason, url=f"{file}: {error.url}") from None
    return value, peers


@cache
def _schema() -> Any:
    schema = load("cardwright_rules.settings", "agents.json")
    # Plain URLs become objects first: then an error is not that of a union.
    peers = {**schema["properties"]["peers"], "items": {"$ref": "#/$defs/Peer"}}
    return {**schema, "properties": {**schema["properties"], "peers": peers}}


@cache
def _validator() -> Validator:
    return compile_schema(_schema())


def _with_peer_objects(value: Any) -> Any:
    """Return the document with an object for each peer that is a plain URL."""
    peers = value.get("peers") if type(value) is dict else None
    if type(peers) is not list:
        return value
    return {**value, "peers": [{"url": peer} if type(peer) is str else peer for peer in peers]}


def _without_headers(peer: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in peer.items() if name != "headers"}


def _entry(peer: Mapping[str, Any], source: str, pointer: str) -> PeerEntry:
    """Return the entry of one peer, whose variables are filled in.

    Raises:
        BadConfiguration: If it has more or less than one of `url`, `file` and `card`, or a header cannot be sent.
        ConnectionDenied: If requests to its URL are not allowed.
    """
    if sum(name in peer for name in ("url", "file", "card")) != 1:
        raise BadConfiguration("", f"{pointer}: expected exactly one of url, file and card")
    key, origin = _local_key(peer, pointer), None
    if key is None:
        try:
            key, origin = key_of(peer["url"]), given(peer["url"]).origin
        except ConnectionDenied as error:
            raise ConnectionDenied(error.rule, error.reason, url=pointer) from None
    settings = PeerSettings(
        key, peer.get("id"), peer.get("ttl_seconds"), peer.get("pin"), peer.get("accept_invalid"), source
    )
    headers = peer.get("headers", {})
    for name, value in headers.items():
        check_header(pointer, name, value)
    card = orjson.dumps(peer["card"]) if "card" in peer else None
    return PeerEntry(settings, headers, peer.get("exact"), origin if source == "file" else None, card)


def _local_key(peer: Mapping[str, Any], pointer: str) -> str | None:
    """Return the key of a peer without a URL; None for one with a URL.

    Raises:
        BadConfiguration: If it has a field that needs a URL, or a card without an id.
    """
    if "url" in peer:
        return None
    for name in ("headers", "exact"):
        if name in peer:
            raise BadConfiguration("", f"{pointer}/{name}: only for a peer with url")
    if "file" in peer:
        return file_key(peer["file"])
    if "id" not in peer:
        raise BadConfiguration("", f"{pointer}: a peer with card needs id")
    return card_key(peer["id"])


# Far more than a set of keys has (project decision).
_MAX_KEYS_BYTES: Final = 4 * 1024 * 1024


def keys_of(names: Sequence[str]) -> KeySet:
    """Return the keys in the given files.

    Raises:
        BadConfiguration: If a file cannot be read, or contains no keys.
    """
    key_sets: list[KeySet] = []
    for name in names:
        try:
            key_sets.append(KeySet.from_bytes(read_regular_file(name, _MAX_KEYS_BYTES)))
        except OSError as error:
            raise BadConfiguration(name, f"cannot be read: {error.strerror or error}") from None
        except BadKey as error:
            raise BadConfiguration(name, str(error)) from None
    return KeySet().merged(key_sets)
