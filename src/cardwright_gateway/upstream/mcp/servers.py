"""Addresses of MCP servers: a local process, or a URL."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from cardwright.guard.answer_memory import HeldAnswer


@dataclass(frozen=True, slots=True)
class StdioServer:
    """A server that is started as a process and uses the stdio transport (MCP 2025-11-25, Transports).

    Only the operator's configuration file may name one: it runs a command.

    Attributes:
        command: The program.
        args: Its arguments; not in the repr, because they may contain a token.
        env: Environment variables added to mcp's minimal set; the gateway's environment is not inherited.
        cwd: Its working directory; the gateway's if None.
    """

    command: str
    args: tuple[str, ...] = field(default=(), repr=False)
    env: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    cwd: str | None = None


@dataclass(frozen=True, slots=True)
class HttpServer:
    """A server at a URL (MCP 2025-11-25, Transports).

    Attributes:
        url: Its URL.
        headers: Headers for each request to its origin, such as an API key.
        configured: The origin that the operator configured: connections to it are allowed even if it is internal. None if
            the URL is not from the operator.
        sse: Whether it uses the older HTTP+SSE transport of MCP 2024-11-05.
        hold: Returns the memory of an answer; None for no limit.
    """

    url: str
    headers: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    configured: str | None = None
    sse: bool = False
    hold: Callable[[], HeldAnswer] | None = field(default=None, repr=False, compare=False)
