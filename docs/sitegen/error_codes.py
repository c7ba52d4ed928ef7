"""Reference page of errors: exceptions of the library, error codes of HTTP responses, exit codes."""

from __future__ import annotations

import inspect
from importlib import import_module
from pkgutil import walk_packages
from typing import TYPE_CHECKING, Final

import cardwright.errors
import cardwright_gateway
from cardwright.http import problem
from cardwright_gateway.a2a.problems import REASONS
from docs.sitegen.markdown import code, page, table

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

_RESPONSES: Final = """
An error response has the body of A2A 1.0 §11.6 (`application/json`), or an RFC 9457 problem where the route is not
A2A's; over JSON-RPC it is a JSON-RPC error with the code below. The `reason` is stable; the message may change.
"""

# Every reason has an entry: the page cannot be generated without.
_MEANINGS: Final = {
    "AGENT_FAILED": "the code of a managed agent raised an exception",
    "AGENT_NOT_FOUND": "no agent has this id, or the agent is private",
    "AGENT_OFFLINE": "the agent's queue has no worker, or an agent with an owner cannot be reached; try again later",
    "AGENT_PAUSED": "the agent or the caller's key is paused by its owner; try again after `Retry-After`",
    "BAD_ARGUMENT": "an argument has a wrong value; the message names it",
    "BAD_HEADER": "a header field is malformed, missing or repeated",
    "BAD_QUERY": "a query parameter is malformed or repeated",
    "BAD_WORK": "a worker of a queue sent a malformed update or result",
    "BINDING_NOT_OFFERED": "the agent does not support this binding in this version",
    "BODY_NOT_ALLOWED": "a GET or HEAD request has a body",
    "BODY_TOO_LARGE": "the request body exceeds the limit",
    "CARD_NOT_FOUND": "no card has this id",
    "CONFLICT": "the resource was changed at the same time; read it again and repeat the change",
    "CONTENT_TYPE_NOT_SUPPORTED": "the agent does not accept this media type",
    "DELIVERY_NOT_FOUND": "no delivery has this id",
    "EXTENDED_AGENT_CARD_NOT_CONFIGURED": "the agent declares an extended card and none is configured",
    "EXTENSION_SUPPORT_REQUIRED": "the agent requires an extension that the caller did not declare",
    "FORBIDDEN": "the caller may not do this; on a loopback address also: `Host` or `Origin` is not of this machine (`hosts` of the gateway, `--allow-host` of `serve`)",
    "FULL": "there is no space left for what is to be stored",
    "HEADER_TOO_LARGE": "the header fields exceed the limit",
    "INTERNAL": "an error of the gateway; its log has the details",
    "INTERNAL_ERROR": "an error of the agent (A2A 1.0 §5.4)",
    "INVALID_AGENT_RESPONSE": "the agent's response is not valid A2A",
    "INVALID_ARGUMENTS": "the arguments do not fit the schema of the tool or skill",
    "INVALID_PARAMS": "the parameters of the method are not valid",
    "INVALID_REQUEST": "the request is not a valid JSON-RPC request",
    "KEY_NOT_FOUND": "the agent has no such key, or the key was revoked or has expired",
    "LOOP_DETECTED": "the request came back to the gateway: the URL of an agent leads to the gateway itself",
    "METHOD_NOT_ALLOWED": "the path does not support this HTTP method; `Allow` lists those it supports",
    "METHOD_NOT_FOUND": "unknown JSON-RPC method",
    "NOT_ACCEPTABLE": "none of the media types in `Accept` is available",
    "NOT_READY": "the database cannot be used; try again after `Retry-After`",
    "NOT_REDELIVERABLE": "the delivery did not fail, so it cannot be sent again",
    "NO_BACKEND": "the managed agent has no backend that executes calls",
    "NO_SUCH_PATH": "the path does not exist",
    "OVERLOADED": "too many large requests are running; wait as `Retry-After` says",
    "OWNER_NOT_FOUND": "no owner has this id",
    "PARSE_ERROR": "the body is not JSON",
    "PRECONDITION_FAILED": "a condition such as `If-Match` is not met",
    "PUSH_NOTIFICATION_NOT_SUPPORTED": "the agent does not support push notifications",
    "QUERY_TOO_LONG": "the query exceeds the limit",
    "RATE_LIMITED": "the caller's limit is used up, or too many calls are running; wait as `Retry-After` says",
    "SESSION_NOT_READY": "the MCP session is starting or was interrupted; try again later",
    "TASK_NOT_CANCELABLE": "the task has ended and cannot be cancelled",
    "TASK_NOT_FOUND": "no task of this caller has this id, or it is no longer stored",
    "TOKEN_NOT_FOUND": "the owner has no token with this id",
    "TURN_FAILED": "the upstream agent failed while it answered",
    "TURN_REJECTED": "the agent rejected the message",
    "UNAUTHENTICATED": "credentials are missing or not valid; `WWW-Authenticate` names the schemes",
    "UNKNOWN_WORK": "the lease of this work has ended; another worker may have it",
    "UNSUPPORTED_MEDIA_TYPE": "the media type of the request body is not supported",
    "UNSUPPORTED_OPERATION": "the agent does not support this operation",
    "UPSTREAM_INVALID": "the upstream card or response cannot be used",
    "UPSTREAM_NOT_FOUND": "the upstream server has nothing at the URL of the call",
    "UPSTREAM_TIMEOUT": "the upstream agent did not respond in time",
    "UPSTREAM_UNREACHABLE": "the connection to the upstream agent failed, or it refuses the credentials",
    "UPSTREAM_ERROR": "the upstream agent responded with an error of its own (5xx), or redirects calls",
    "VERSION_NOT_SUPPORTED": "the agent does not support this A2A version; the error lists those it supports",
    "WEBHOOK_NOT_FOUND": "no webhook of this task has this id",
}


def error_pages() -> Iterator[tuple[str, str]]:
    """Yield the path and text of the page of errors."""
    yield (
        "errors.md",
        page(
            "Error codes",
            "## Error codes of HTTP responses",
            _RESPONSES,
            table(("reason", "status", "JSON-RPC code", "meaning"), _codes()),
            "## Exceptions of the library",
            "Every exception of cardwright is a `CardError`. Import those of the toolkit from `cardwright.errors`;"
            " those of the Beach protocol are in `cardwright_beach`, those of the gateway in `cardwright_gateway`.",
            table(("exception", "meaning"), _exceptions()),
            "## Exit codes of the command line",
            table(
                ("exit code", "meaning"),
                [
                    ("0", "success"),
                    (
                        "1",
                        "a card is invalid, its dialect is unknown, or a gate (`--gate`, `--strict`) failed",
                    ),
                    (
                        "2",
                        "an input could not be read, an output could not be written, or the command line is wrong",
                    ),
                ],
            ),
        ),
    )


def _codes() -> list[tuple[str, str, str, str]]:
    """Return a row for each error code of any module, and for each reason that A2A defines."""
    modules = [problem, *(import_module(name) for name in _modules(cardwright_gateway))]
    codes = {
        value for module in modules for value in vars(module).values() if isinstance(value, problem.ErrorCode)
    }
    rows = {(one.reason, str(one.status), code(one.code)) for one in codes}
    rows |= {
        (reason, "–", code(number))
        for number, reason in REASONS.items()
        if reason not in {one.reason for one in codes}
    }
    return [(code(reason), status, number, _MEANINGS[reason]) for reason, status, number in sorted(rows)]


def _modules(package: ModuleType) -> list[str]:
    return [found.name for found in walk_packages(package.__path__, f"{package.__name__}.")]


def _exceptions() -> list[tuple[str, str]]:
    return [
        (
            f"[`{name}`](python/cardwright.errors.md#{name.lower()})",
            (inspect.getdoc(getattr(cardwright.errors, name)) or "").partition("\n")[0],
        )
        for name in sorted(cardwright.errors.__all__)
    ]
