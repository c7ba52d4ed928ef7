"""Reference page of errors: exceptions of the library, error codes of HTTP responses, exit codes."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Final

import cardwright.errors
from cardwright.http import problem
from cardwright_gateway.a2a import problems
from docs.sitegen.markdown import code, page, table

if TYPE_CHECKING:
    from collections.abc import Iterator

_RESPONSES: Final = """
An error response has the body of A2A 1.0 §11.6 (`application/json`), or an RFC 9457 problem where the route is not
A2A's; over JSON-RPC it is a JSON-RPC error with the code below. The `reason` is stable; the message may change.
"""


def error_pages() -> Iterator[tuple[str, str]]:
    """Yield the path and text of the page of errors."""
    yield (
        "errors.md",
        page(
            "Error codes",
            "## Error codes of HTTP responses",
            _RESPONSES,
            table(("reason", "status", "JSON-RPC code", "domain"), _codes()),
            "## Exceptions of the library",
            "Everything that cardwright raises is a `CardError`; import them from `cardwright.errors`.",
            table(("exception", "meaning"), _exceptions()),
            "## Exit codes of the command line",
            table(
                ("exit code", "meaning"),
                [
                    ("0", "all is well"),
                    (
                        "1",
                        "a card is invalid, its dialect is unknown, or a gate (`--gate`, `--strict`) failed",
                    ),
                    ("2", "something could not be read or written, or the command was used wrongly"),
                ],
            ),
        ),
    )


def _codes() -> list[tuple[str, str, str, str]]:
    codes = {
        value
        for module in (problem, problems)
        for value in vars(module).values()
        if isinstance(value, problem.ErrorCode)
    }
    return [
        (code(one.reason), str(one.status), code(one.code), code(one.domain))
        for one in sorted(codes, key=lambda one: (one.reason, one.status, one.domain))
    ]


def _exceptions() -> list[tuple[str, str]]:
    return [
        (
            f"[`{name}`](python/cardwright.errors.md#{name.lower()})",
            (inspect.getdoc(getattr(cardwright.errors, name)) or "").partition("\n")[0],
        )
        for name in sorted(cardwright.errors.__all__)
    ]
