"""URLs as inputs of a command: fetched only through the guarded client."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NoReturn

import typer

from cardwright.cli.terminal import emit_stderr, fail, legible
from cardwright.errors import BadArgument, CardError, ConnectionDenied, MalformedDocument, PeerError
from cardwright.extras import check_extra
from cardwright_runtime.violation import escaped

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cardwright.canonical import Limits
    from cardwright.cli.options import Allowed
    from cardwright.discovery.fetching import Provenance
    from cardwright.guard import Guard

# RFC 3986 §3.1; a single letter is a Windows drive.
_URL: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")
_USERINFO: Final = re.compile(r"//[^/?#]*@")
_FIELD: Final = re.compile(
    r"([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([\x21-\x7e](?:[\x20-\x7e\t]*[\x21-\x7e])?)?"
)


@dataclass(frozen=True, slots=True)
class Reach:
    """The guard of outgoing requests, and the header fields for the origin of the URLs on the command line."""

    guard: Guard
    headers: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)


def is_url(name: str) -> bool:
    """Return whether an input is a URL of any scheme."""
    return _URL.match(name) is not None


def name_of(name: str) -> str:
    """Return an input's name for output: of a URL, without user information and query.

    An identifier in the fragment stays: it tells the cards in one catalogue from each other.
    """
    if not is_url(name):
        return name
    url, _, fragment = name.partition("#")
    entry = f"#{fragment}" if fragment.startswith("urn:") else ""
    return _USERINFO.sub("//…@", url.partition("?")[0]) + entry


def reach_of(options: Allowed, names: Sequence[str]) -> Reach:
    """Return the guard and header fields that options specify; end the command if they are wrong.

    Header fields are allowed for inputs of one origin only.
    """
    from cardwright.guard import Guard, allowed, target_of

    if any(map(is_url, names)):
        check_extra("discovery")
    headers = dict(map(_header, options.headers))
    try:
        networks = allowed(options.networks, private=options.private)
        guard = Guard(allow=networks, ports=frozenset({80, 443, *options.ports}))
        origins = {target_of(name).origin for name in names if is_url(name)} if headers else set[str]()
    except BadArgument as error:
        fail(f"--{error}")
    except ConnectionDenied as error:
        refuse(error)
    if len(origins) > 1:
        fail(
            "--header applies to one origin: give URLs of one origin only, or run the command once per origin"
        )
    return Reach(guard, headers)


def refusal(error: ConnectionDenied, name: str = "") -> str:
    """Return the guard's message in one line, with the URL for output."""
    from cardwright.errors import ConnectionDenied as Denied

    complete = (
        error if error.url or not name else Denied(error.rule, error.reason, url=legible(name_of(name)))
    )
    return escaped(str(complete))


def refuse(error: ConnectionDenied, name: str = "") -> NoReturn:
    """End the command with the guard's message."""
    emit_stderr(f"{refusal(error, name)}\n")
    raise typer.Exit(2)


def body_of(url: str, reach: Reach | None, limits: Limits) -> bytes:
    """Return the bytes of the card at a URL or of the agent at an origin.

    Raises:
        ConnectionDenied: If the guard refuses the URL.
        MalformedDocument: `fetch/…` if it cannot be fetched; the message says why.
    """
    if reach is None:
        reason = (
            "this command reads files, not URLs; check, convert, detect, diff, show and verify accept URLs"
        )
        raise MalformedDocument("decode/missing", reason)
    import asyncio

    return asyncio.run(_fetch_card(url, reach, limits))


def key_set_at(url: str, reach: Reach) -> bytes:
    """Return the bytes of a key set, without following redirects or sending header fields of the user.

    Raises:
        CardError: If it cannot be fetched.
    """
    import asyncio

    return asyncio.run(_fetch_key_set(url, reach))


async def _fetch_card(url: str, reach: Reach, limits: Limits) -> bytes:
    from cardwright.discovery.card_lookup import CardQuery, find
    from cardwright.discovery.fetch_rules import fetch_rule
    from cardwright.discovery.fetching import provenance_of
    from cardwright.discovery.mcp_servers import explained
    from cardwright.discovery.signatures import Signatures
    from cardwright.guard import GuardedClient

    question = CardQuery(url, headers=reach.headers, max_bytes=limits.max_bytes)
    async with GuardedClient(reach.guard) as client:
        try:
            lookup = await find(client, question, clock=time.time)
        except PeerError as error:
            found = await explained(error, client, url, reach.headers)
            raise MalformedDocument(fetch_rule(error), _reason(found, url)) from None
    _note(url, provenance_of(lookup, Signatures()))
    return lookup.answer.body


async def _fetch_key_set(url: str, reach: Reach) -> bytes:
    from cardwright.guard import GuardedClient

    async with GuardedClient(reach.guard) as client:
        response = await client.get(url, redirects=0)
    if response.status != 200:
        raise CardError(f"expected a key set with status 200, received status {response.status}")
    return response.body


def _note(url: str, provenance: Provenance) -> None:
    for note in provenance.notes:
        emit_stderr(f"{escaped(legible(name_of(url)))}: {note}\n")


def _reason(error: PeerError, url: str) -> str:
    """Return the reason of a failure, without the URL if the row begins with it anyway."""
    reason = error.reason if error.url.rstrip("/") in ("", name_of(url).rstrip("/")) else str(error)
    return f"{reason}{not_found_hint(error, url)}"


def not_found_hint(error: CardError, url: str) -> str:
    """Return what to do if an agent has no card at its well-known URLs; "" for any other error."""
    from cardwright.errors import BadResponse
    from cardwright.guard import target_of

    if not isinstance(error, BadResponse) or error.kind != "not-found" or error.url:
        return ""
    catalog = f"{target_of(url).origin}/.well-known/ai-catalog.json"
    return f". Give the URL of the card itself; a server with several cards lists them at {catalog}"


def _header(text: str) -> tuple[str, str]:
    match = _FIELD.fullmatch(text.strip())
    if match is None:
        fail("--header: expected 'Name: value' in ASCII")
    from cardwright.guard import OWN_FIELDS

    if match[1].lower() in OWN_FIELDS:
        fail(f"--header {match[1]}: the client sets this field itself; leave it out")
    return match[1], match[2] or ""
