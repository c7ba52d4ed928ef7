"""`cardwright convert`: a card in another dialect, and the losses and assumptions of the conversion."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING, Annotated, Final

import typer

from cardwright.cli import options
from cardwright.cli.cards import read_document
from cardwright.cli.fetch_options import is_url, name_of, reach_of, refuse
from cardwright.cli.inputs import STDIN
from cardwright.cli.option_groups import described
from cardwright.cli.outputs import write_output
from cardwright.cli.terminal import emit_json, emit_stderr, fail, json_text, legible
from cardwright.errors import BadArgument, CardError, ConnectionDenied
from cardwright.extras import requires_extra
from cardwright_rules import MESSAGES, ROWS, SERVERS

if TYPE_CHECKING:
    from cardwright.card import Card, Document, ProtocolMessage, ServerCard
    from cardwright.checks import Checks
    from cardwright.conversion import ConversionReport

EXAMPLES: Final = (
    "cardwright convert --to a2a-1.0 old-card.json > agent-card.json",
    "cardwright convert --to a2a-0.3 --lossless --report losses.json card.json",
    "cardwright convert --for servicenow agent-card.json",
    "cardwright convert --to mcp-server-card-1 server.json",
    "cardwright convert --to a2a-messages-1.0 request.json",
    "cardwright convert --to a2a-1.0 --from-mcp 'npx @harbour/charts' --endpoint https://agents.example.com/charts",
)


def command(  # noqa: PLR0913 - one parameter per option
    path: options.MaybePathOrUrl = None,
    *,
    to: options.ToDialect = None,
    platform: Annotated[str | None, described("convert --for")] = None,
    source: options.FromDialect = None,
    from_mcp: Annotated[str | None, described("convert --from-mcp")] = None,
    endpoint: Annotated[str, described("convert --endpoint")] = "",
    carry: Annotated[bool, described("convert --carry")] = False,
    report: Annotated[str | None, described("convert --report")] = None,
    lossless: Annotated[bool, described("convert --lossless")] = False,
    strict: Annotated[bool, described("convert --strict")] = False,
    checks: options.LimitedAndRules,
    allowed: options.Reachable,
) -> None:
    """Convert a card, the description of an MCP server or a message to another dialect; list losses on standard error.

    Exit status: 0 success, 1 the result of a valid card is not valid or the platform of --for does not take it, or
    --lossless or --strict failed, 2 the card could not be read or the report not written.
    """
    from cardwright.cli.reports.conversion import doubt, refusal, summary

    if (path is None) == (from_mcp is None):
        fail("give either a file or URL, or --from-mcp")
    to = _target(to, platform)
    if endpoint and not is_url(endpoint):
        fail(
            f"--endpoint: {legible(endpoint)} is not a URL; write for example https://agents.example.com/charts"
        )
    if carry and (to in SERVERS or to in MESSAGES):
        fail(f"--carry: {to} has no extensions to store fields in")
    if report is not None:
        _check_target(report, path or "")
    if path is None:
        path = from_mcp or ""
        card: Card | ServerCard | ProtocolMessage = _session_card(path, endpoint, allowed)
        path = name_of(path)
    else:
        card = _read(path, source, checks, allowed)
        path = name_of(path)
        if source is None:
            emit_stderr(doubt(path, card))
    if strict and not card.valid:
        emit_stderr(refusal(path, card))
        raise typer.Exit(1)
    result, conversion = _converted(card, to, path, checks, carry=carry, endpoint=endpoint)
    # Before the card: the reader of the pipe may take its end for success.
    if report is not None:
        write_output(report, json_text(conversion.to_json()), "the report")
    emit_json(result.document)
    emit_stderr(summary(path, card, result, conversion, report))
    refused = platform is not None and _is_refused(result, platform)
    broken = refused or ((card.valid or from_mcp is not None) and not result.valid)
    raise typer.Exit(1 if broken or (lossless and not conversion.lossless) else 0)


def _converted(
    card: Card | ServerCard | ProtocolMessage,
    to: str,
    path: str,
    checks: Checks,
    *,
    carry: bool,
    endpoint: str,
) -> tuple[Card | ServerCard | ProtocolMessage, ConversionReport]:
    """Return the result and its report; end the command if a message is to become a card, or a card a message."""
    from cardwright.card import ProtocolMessage
    from cardwright.conversion import convert, convert_message, convert_to_server

    if isinstance(card, ProtocolMessage) != (to in MESSAGES):
        fail(
            f"{legible(path)}: it is {'a message' if to not in MESSAGES else 'no message'} ({ROWS[str(card.dialect)].title}), and"
            f" {to} is a dialect of {'cards' if to not in MESSAGES else 'messages'}"
        )
    if isinstance(card, ProtocolMessage):
        return convert_message(card, to=to, checks=checks)
    if to in SERVERS:
        return convert_to_server(card, to=to, checks=checks)
    return convert(card, to=to, carry=carry, endpoint=endpoint, checks=checks)


def _target(to: str | None, platform: str | None) -> str:
    """Return the dialect to convert to; end the command if it is not given once, or a platform states none."""
    if (to is None) == (platform is None):
        fail("give either --to or --for")
    if to is not None:
        return to
    from cardwright.profiles import profile

    try:
        found = profile(platform or "")
    except BadArgument as error:
        fail(f"--for: {error}")
    if found.forms is None:
        fail(f"--for: no source states which version {found.title} reads; give --to")
    return found.forms[0]


def _is_refused(result: Document, platform: str) -> bool:
    """Print the objections of a platform to the result and return whether there are any."""
    from cardwright.card import Card
    from cardwright.profiles import objections

    found = objections(result, platform) if isinstance(result, Card) else ()
    for one in found:
        emit_stderr(
            f"{platform}: {one.pointer or '(root)'}: {one.message} [{one.rule}] ({one.source}, {one.read})\n"
        )
    return bool(found)


def _read(
    path: str, dialect: str | None, checks: Checks, allowed: options.Allowed
) -> Card | ServerCard | ProtocolMessage:
    """Return the card, the description of a server or the message that an argument names; end the command for others."""
    from cardwright.card import Card, Document, ProtocolMessage, ServerCard

    hint = f"name it with --from: {', '.join(options.convertible_names())}"
    document = read_document(
        Document, path, dialect, checks, hint=hint, reach=reach_of(allowed, [path]), messages=True
    )
    if isinstance(document, (Card, ServerCard, ProtocolMessage)):
        return document
    fail(
        f"{legible(name_of(path))}: not an agent card, but a catalogue ({ROWS[str(document.dialect)].title}): `cardwright catalog unpack` writes its cards to files, and"
        " `cardwright catalog build` makes a catalogue of another format"
    )
    return None


def _session_card(source: str, endpoint: str, allowed: options.Allowed) -> Card:
    """Return the card of an MCP server from a session with it; end the command if it fails."""
    import asyncio
    import logging
    from importlib.metadata import entry_points

    reach = reach_of(allowed, [source] if is_url(source) else [])
    with requires_extra("gateway"):
        found = entry_points(group="cardwright.mcp", name="session_card")
        if not found:
            raise ModuleNotFoundError("no module 'cardwright_gateway'", name="cardwright_gateway")
        session_card = next(iter(found)).load()
    # mcp logs each line that is no message, with a traceback.
    logging.getLogger().addHandler(logging.NullHandler())
    try:
        card: Card = asyncio.run(session_card(source, reach.guard, reach.headers, endpoint))
    except ConnectionDenied as error:
        refuse(error, source)
    except BadArgument as error:
        fail(f"--{error}")
    except CardError as error:
        hint = "" if is_url(source) else "; run the command alone to see what it prints"
        fail(f"--from-mcp: {error}{hint}")
    return card


def _check_target(report: str, path: str) -> None:
    """End the command if the report would overwrite the card or mix with it on standard output."""
    if report == STDIN:
        fail("--report: expected a file; standard output is used for the card")
    if _is_standard_output(report):
        fail(
            f"--report {legible(report)}: standard output, which is used for the card, goes to this file; give another"
        )
    try:
        same = path != STDIN and os.path.samefile(report, path)  # noqa: PTH121 - paths as given, never normalised
    except (OSError, ValueError):
        return
    # A device such as /dev/null can be both.
    if same and stat.S_ISREG(os.stat(report).st_mode):  # noqa: PTH116 - a path as given, never normalised
        fail(f"--report {legible(report)} would overwrite the card: give another file")


def _is_standard_output(report: str) -> bool:
    """Return whether a path is the file or the pipe of standard output."""
    try:
        output, status = os.fstat(1), os.stat(report)  # noqa: PTH116 - a path as given, never normalised
    except (OSError, ValueError):
        return False
    return os.path.samestat(output, status) and not stat.S_ISCHR(status.st_mode)
