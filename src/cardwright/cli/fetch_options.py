"""What a command may fetch: URLs as inputs, through the guarded client and nothing else."""

from __future__ import annotations

import asyncio
import re
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NoReturn

import typer

from cardwright.cli.terminal import fail, legible, tell
from cardwright.errors import BadArgument, CardError, ConnectionDenied, MalformedDocument, PeerError
from cardwright.extras import check_extra
from cardwright_runtime.violation import escaped

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cardwright.canonical import Limits
    from cardwright.cli.options import Allowed
    from cardwright.discovery.fetching import Provenance
    from cardwright.guard import Guard

# RFC 3986 §3.1; a single letter is a drive.
_URL: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")
_USERINFO: Final = re.compile(r"//[^/?#]*@")
_FIELD: Final = re.compile(
    r"([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([\x21-\x7e](?:[\x20-\x7e\t]*[\x21-\x7e])?)?"
)


@dataclass(frozen=True, slots=True)
class Reach:
    """What may be dialled, and what is sent along to the origin of a URL that was typed."""

    guard: Guard
    headers: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)


def is_url(name: str) -> bool:
    """Whether an input is a URL, of whatever scheme."""
    return _URL.match(name) is not None


def name_of(name: str) -> str:
    """Return an input as it may be shown: a URL without user information and query."""
    if not is_url(name):
        return name
    return _USERINFO.sub("//…@", name.partition("?")[0].partition("#")[0])


def reach_of(asked: Allowed, names: Sequence[str]) -> Reach:
    """Return what options allow; what is wrong with them ends the command. Header fields go to one origin of the inputs."""
    from cardwright.guard import Guard, allowed, target_of

    if any(map(is_url, names)):
        check_extra("discovery")
    fields = dict(map(_field, asked.headers))
    try:
        networks = allowed(asked.networks, private=asked.private)
        guard = Guard(allow=networks, ports=frozenset({80, 443, *asked.ports}))
        origins = {target_of(name).origin for name in names if is_url(name)} if fields else set[str]()
    except BadArgument as error:
        fail(f"--{error}")
    except ConnectionDenied as error:
        refuse(error)
    if len(origins) > 1:
        fail("--header is for one origin: give URLs of one, or ask each by itself")
    return Reach(guard, fields)


def refusal(error: ConnectionDenied, name: str = "") -> str:
    """Return the guard's one line, with the URL as it may be shown."""
    from cardwright.errors import ConnectionDenied as Made

    whole = error if error.url or not name else Made(error.rule, error.reason, url=legible(name_of(name)))
    return escaped(str(whole))


def refuse(error: ConnectionDenied, name: str = "") -> NoReturn:
    """End the command with the guard's one line."""
    tell(f"{refusal(error, name)}\n")
    raise typer.Exit(2)


def body_of(url: str, reach: Reach | None, limits: Limits) -> bytes:
    """Return the bytes of the card that a URL or an origin leads to.

    Raises:
        HttpError: If the guard refuses.
        MalformedDocument: `fetch/…` if it cannot be fetched; the message says why.
    """
    if reach is None:
        reason = "this command reads files; check, convert, detect, diff, show and verify take URLs"
        raise MalformedDocument("decode/missing", reason)
    return asyncio.run(_fetched(url, reach, limits))


def key_set_at(url: str, reach: Reach) -> bytes:
    """Return the bytes of a key set; no redirect is followed, no field of a header sent along.

    Raises:
        CardError: If it cannot be fetched.
    """
    return asyncio.run(_key_set(url, reach))


async def _fetched(url: str, reach: Reach, limits: Limits) -> bytes:
    from cardwright.discovery.card_lookup import Question, find
    from cardwright.discovery.fetch_rules import fetch_rule
    from cardwright.discovery.fetching import provenance_of
    from cardwright.discovery.signatures import Signatures
    from cardwright.guard import GuardedClient

    question = Question(url, headers=reach.headers, max_bytes=limits.max_bytes)
    try:
        async with GuardedClient(reach.guard) as client:
            found = await find(client, question, clock=time.time)
    except PeerError as error:
        raise MalformedDocument(fetch_rule(error), _reason(error, url)) from None
    _note(url, provenance_of(found, Signatures()))
    return found.answer.body


async def _key_set(url: str, reach: Reach) -> bytes:
    from cardwright.guard import GuardedClient

    async with GuardedClient(reach.guard) as client:
        answer = await client.get(url, redirects=0)
    if answer.status != 200:
        raise CardError("it has no key set there")
    return answer.body


def _note(url: str, provenance: Provenance) -> None:
    for note in provenance.notes:
        tell(f"{escaped(legible(name_of(url)))}: {note}\n")


def _reason(error: PeerError, url: str) -> str:
    """Return what happened, without the URL where the row begins with it anyway."""
    return error.reason if error.url.rstrip("/") in ("", name_of(url).rstrip("/")) else str(error)


def _field(text: str) -> tuple[str, str]:
    match = _FIELD.fullmatch(text.strip())
    if match is None:
        fail("--header takes a field as 'Name: value', in ASCII")
    from cardwright.guard import OWN_FIELDS

    if match[1].lower() in OWN_FIELDS:
        fail(f"--header {match[1]}: that field is the client's own")
    return match[1], match[2] or ""
