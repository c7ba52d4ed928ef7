"""`cardwright gateway init`: a first configuration file, with an agent that is a Python function."""

from __future__ import annotations

import json
import os
import re
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from cardwright.cli.terminal import at_terminal, emit_stderr, fail, legible
from cardwright.errors import CardError

if TYPE_CHECKING:
    from collections.abc import Mapping

_FILE: Final = "gateway.yml"
_FUNCTION: Final = '''"""An agent that is a function. The gateway does the A2A part."""


def answer(message: str) -> str:
    """Greet the caller, and count the words of the message."""
    return f"Good day! You wrote {len(message.split())} words."
'''
_HEAD: Final = """\
# Settings of a cardwright gateway. Start it with: cardwright gateway --config gateway.yml
# All settings: `cardwright schema show gateway`, or the page "Settings" of the documentation.

"""
_BASE_URL: Final = """\
# The public URL, which is in every card. Without it, cards have the URL of this machine.
{line}

"""
_OWNERS: Final = """\
# Who owns agents. An owner works with a token: cardwright gateway owner token {owner} --expires 30d
owners:
  {owner}: {{name: {owner}}}

"""
_NO_OWNERS: Final = """\
# Who owns agents. Without an owner, everyone who reaches the gateway can call the agent.
# owners:
#   acme: {name: Acme Ltd}

"""
_ADMIN: Final = """\
# More owners are added while the gateway runs: cardwright gateway owner add ID. With this token, also over the network:
# POST /api/v1/owners.
# admin_token: ${CARDWRIGHT_ADMIN_TOKEN}

"""
_AGENTS: Final = """\
agents:
  {agent}:
    # A Python function; modules are searched for beside this file.
    # Its card is derived from its name, docstring and annotations.
    backend: {{python: "{function}"}}
    name: {name}
"""
_OWNER_LINE: Final = "    # Callers need a key: cardwright gateway keys issue {agent}\n    owner: {owner}\n"
_MORE: Final = """\

  # An A2A agent that runs elsewhere; the gateway fetches its card:
  # {other}:
  #   url: https://{other}.example.com
"""


def init(
    folder: Annotated[
        Path,
        typer.Argument(
            metavar="FOLDER", help="The folder to write to; it is created if needed. Default: this folder."
        ),
    ] = Path(),
    *,
    agent: Annotated[str | None, typer.Option("--agent", help="Set the id of the agent.")] = None,
    function: Annotated[
        str | None,
        typer.Option("--function", metavar="MODULE:NAME", help="Use this function instead of a new example."),
    ] = None,
    owner: Annotated[
        str | None, typer.Option("--owner", help="Let this owner own the agent; callers then need a key.")
    ] = None,
    base_url: Annotated[
        str | None, typer.Option("--base-url", metavar="URL", help="Set the public URL of the gateway.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace existing files.")] = False,
) -> None:
    """Write a commented gateway.yml with an agent that is a Python function.

    On a terminal, it asks for what the options do not say; elsewhere the defaults apply. No file is replaced without
    --force.
    """
    if folder.exists() and not folder.is_dir():
        fail(f"{legible(str(folder))}: not a folder; choose another FOLDER")
    if at_terminal(sys.stdin) and at_terminal(sys.stderr):
        emit_stderr("Press Enter to accept the value in brackets, Ctrl+C to cancel without writing.\n")
        agent = agent or _ask("Id of the agent", "greeter")
        owner = _ask("Owner of the agent (empty: everyone can call it)", "") if owner is None else owner
        base_url = _ask("Public URL (empty: this machine only)", "") if base_url is None else base_url
    agent = agent or "greeter"
    module = re.sub(r"\W", "_", f"agent_{agent}" if agent[:1].isdigit() else agent, flags=re.ASCII)
    if not function and (module in sys.stdlib_module_names or find_spec(module) is not None):
        # It would be imported instead of the other one, also by Python itself.
        module = f"agent_{module}"
    files = {} if function else {f"{module}.py": _FUNCTION}
    text = _text(agent, function or f"{module}:answer", owner or "", base_url or "")
    _write(folder, {_FILE: text, **files}, force=force)
    place = legible(str(folder / _FILE))
    emit_stderr(
        f"Wrote {' and '.join((_FILE, *files))}. Start the gateway with: cardwright gateway --config {place}\n"
    )


def _ask(question: str, default: str) -> str:
    answer = typer.prompt(question, default=default, err=True, show_default=bool(default))
    return str(answer).strip()


def _text(agent: str, function: str, owner: str, base_url: str) -> str:
    """Return the configuration file; end the command if a value cannot be used."""
    settings: dict[str, Any] = {"agents": {agent: {"backend": {"python": function}}}}
    if owner:
        settings["owners"] = {owner: {"name": owner}}
        settings["agents"][agent]["owner"] = owner
    if base_url:
        settings["base_url"] = base_url
    _check(settings)
    quoted = {"agent": _scalar(agent), "owner": _scalar(owner), "function": function}
    name = agent.replace("-", " ").replace("_", " ")
    line = f"base_url: {_scalar(base_url)}" if base_url else "# base_url: https://agents.example.com"
    parts = (
        _HEAD,
        _BASE_URL.format(line=line),
        _OWNERS.format(**quoted) if owner else _NO_OWNERS,
        _ADMIN,
        _AGENTS.format(**quoted, name=_scalar(name[:1].upper() + name[1:])),
        _OWNER_LINE.format(**quoted) if owner else "",
        _MORE.format(other="tides" if agent != "tides" else "weather"),
    )
    return "".join(parts)


def _check(settings: Mapping[str, Any]) -> None:
    """End the command if the gateway would refuse the settings."""
    from cardwright_gateway.settings.config import GatewayConfig

    try:
        GatewayConfig.from_value(settings, environ={})
    except CardError as error:
        fail(str(error))


def _scalar(text: str) -> str:
    """Return a string in YAML: plain if it can only be read as a string."""
    return (
        text
        if re.fullmatch(r"[A-Za-z][A-Za-z .-]*[A-Za-z]", text) and text.lower() not in _WORDS
        else json.dumps(text, ensure_ascii=False)
    )


# Plain scalars of YAML 1.1 that are not strings.
_WORDS: Final = frozenset({"yes", "no", "on", "off", "true", "false", "null"})


def _write(folder: Path, files: Mapping[str, str], *, force: bool) -> None:
    """Write all files, or none if one exists; end the command if that fails."""
    existing = [name for name in files if os.path.lexists(folder / name)]
    if existing and not force:
        fail(
            f"{legible(str(folder / existing[0]))} already exists: use --force to replace it, or choose another FOLDER"
        )
    for name, text in files.items():
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with (folder / name).open("w" if force else "x", encoding="utf-8") as file:
                file.write(text)
        except OSError as error:
            fail(f"{legible(str(folder / name))}: cannot be written: {error.strerror or error}")
