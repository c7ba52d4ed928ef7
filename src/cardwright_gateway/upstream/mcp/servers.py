"""How an MCP server is reached: as a process of this machine, or over HTTP."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class StdioServer:
    """A server that is started as a process and spoken to over its pipes (MCP 2025-11-25, Transports).

    Only an operator's own configuration may name one: whoever writes it runs commands.

    Attributes:
        command: The program.
        args: Its arguments; a token may stand among them, so they are not shown.
        env: What its environment has besides mcp's least: of ours it gets nothing else.
        cwd: The folder that it runs in; ours where None.
    """

    command: str
    args: tuple[str, ...] = field(default=(), repr=False)
    env: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    cwd: str | None = None


@dataclass(frozen=True, slots=True)
class HttpServer:
    """A server at a URL (MCP 2025-11-25, Transports).

    Attributes:
        url: Where it answers.
        headers: What its origin alone is sent with each request, such as a key.
        configured: The origin that the operator wrote, which may be dialled wherever it is; None where the
            URL is a stranger's.
        sse: Whether it speaks the older transport of MCP 2024-11-05, with one stream for all answers.
    """

    url: str
    headers: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    configured: str | None = None
    sse: bool = False
