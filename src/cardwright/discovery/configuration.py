"""`agents.yml` and `agents.json`: what the operator says of peers, judged by a schema of ours."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from cardwright.discovery.candidates import given, key_of
from cardwright.discovery.settings_file import faults, header_value, read_settings
from cardwright.errors import BadArgument, BadConfiguration, BadKey, ConnectionDenied
from cardwright.signing import KeySet
from cardwright.store import PeerSettings
from cardwright_runtime.engine import compile_schema, load

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from jsonschema_rs import Validator

_PINS: Final = "first, none, sha256: and 64 hexadecimal digits, or key: and a thumbprint"


@dataclass(frozen=True, slots=True)
class PeerEntry:
    """One peer as it is written down: what is stored of it, and what never is.

    Attributes:
        settings: What is stored.
        headers: Fields for its origin alone; they may be secrets.
        exact: Whether its URL is the card's own; told by its form where None.
        configured: Its origin, if a file names it: it may be dialled wherever it is.
    """

    settings: PeerSettings
    headers: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    exact: bool | None = None
    configured: str | None = None


@dataclass(frozen=True, slots=True)
class AgentsFile:
    """What such a file says; paths are absolute."""

    peers: tuple[PeerEntry, ...]
    store: str | None = None
    ttl_seconds: float | None = None
    allow: tuple[str, ...] = ()
    ports: tuple[int, ...] = ()
    keys: tuple[str, ...] = ()
    jku: tuple[str, ...] = ()


def entries(peers: Iterable[str | Mapping[str, Any]]) -> tuple[PeerEntry, ...]:
    """Read peers as a program names them: URLs, or mappings as in the file.

    Raises:
        BadArgument: If one is neither, or says what no peer has.
        ConnectionDenied: If a URL is none that is dialled.
    """
    if isinstance(peers, (str, Mapping)):
        raise BadArgument("peers", "this is one peer: give a list of them")
    value = [dict(one) if isinstance(one, Mapping) else one for one in peers]
    wrong = _faults({"peers": value})
    if wrong:
        raise BadArgument("peers", "; ".join(wrong).replace("/peers/", "/"))
    try:
        return tuple(_entry(one, "library", None, f"/{index}") for index, one in enumerate(value))
    except BadConfiguration as error:
        raise BadArgument("peers", str(error)) from None


def read_agents_file(
    path: str | os.PathLike[str], *, environ: Mapping[str, str] | None = None, asks: bool = True
) -> AgentsFile:
    """Read `agents.yml`, `agents.yaml` or `agents.json`.

    Args:
        path: The file; anything that does not end in `.json` is read as YAML.
        environ: Where `${NAME}` in a header is looked up; the process's own where not given.
        asks: Whether anybody is to be asked; if not, headers are left out and nothing is looked up for them.

    Raises:
        BadConfiguration: If it cannot be read, or says what it may not; every fault is named.
        ConnectionDenied: If a URL is none that is dialled.
    """
    file = Path(path)
    value = read_settings(file)
    wrong = _faults(value)
    if wrong:
        raise BadConfiguration(str(file), "; ".join(wrong))
    here = file.absolute().parent
    known = os.environ if environ is None else environ
    try:
        peers = tuple(
            _entry(one if asks else _silent(one), "file", known, f"{file}: /peers/{index}")
            for index, one in enumerate(value["peers"])
        )
    except BadConfiguration as error:
        raise BadConfiguration(str(file), error.reason) from None
    store = value.get("store")
    return AgentsFile(
        peers,
        store if store is None or "://" in store or store == ":memory:" else str(here / store),
        value.get("ttl_seconds"),
        tuple(value.get("allow", ())),
        tuple(value.get("ports", ())),
        tuple(str(here / name) for name in value.get("keys", ())),
        tuple(value.get("jku", ())),
    )


@cache
def _judge() -> Validator:
    schema = load("cardwright_models.settings", "agents.json")
    # Of a URL alone an object was made: what is wrong with one is said of it, not of a choice of two.
    schema["properties"]["peers"]["items"] = {"$ref": "#/$defs/Peer"}
    return compile_schema(schema)


def _faults(value: Any) -> list[str]:
    """Return what breaks the schema, each as a place and a sentence."""
    return faults(_spelled_out(value), _judge(), {"pin": f" ({_PINS})"})


def _spelled_out(value: Any) -> Any:
    """Return the document with an object for each peer that is written as its URL alone."""
    peers = value.get("peers") if type(value) is dict else None
    if type(peers) is not list:
        return value
    return {**value, "peers": [{"url": one} if type(one) is str else one for one in peers]}


def _silent(one: Any) -> Any:
    return one if type(one) is str else {name: value for name, value in one.items() if name != "headers"}


def _entry(one: Any, source: str, environ: Mapping[str, str] | None, place: str) -> PeerEntry:
    """Read one peer; variables of its headers are looked up if there is somewhere to look.

    Raises:
        BadConfiguration: If a header is none that can be sent.
        ConnectionDenied: If its URL is none that is dialled.
    """
    said: dict[str, Any] = {"url": one} if type(one) is str else one
    try:
        url, origin = key_of(said["url"]), given(said["url"]).origin
    except ConnectionDenied as error:
        raise ConnectionDenied(error.rule, error.reason, url=place) from None
    settings = PeerSettings(
        url, said.get("id"), said.get("ttl_seconds"), said.get("pin"), said.get("accept_invalid"), source
    )
    headers = {
        name: header_value(place, name, value, environ) for name, value in said.get("headers", {}).items()
    }
    return PeerEntry(settings, headers, said.get("exact"), origin if source == "file" else None)


def keys_of(names: Sequence[str]) -> KeySet:
    """Return the keys of files.

    Raises:
        BadConfiguration: If one cannot be read, or is no file of keys.
    """
    found: list[KeySet] = []
    for name in names:
        try:
            found.append(KeySet.from_bytes(Path(name).read_bytes()))
        except OSError as error:
            raise BadConfiguration(name, f"it cannot be read: {error.strerror or error}") from None
        except BadKey as error:
            raise BadConfiguration(name, str(error)) from None
    return KeySet().merged(found)
