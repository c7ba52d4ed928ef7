"""Helpers for the tests of applications that publish or read agent cards; the pytest plugin has them as fixtures.

`agent_cards` needs the extra `testing`, which brings hypothesis and hypothesis-jsonschema.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cardwright.extras import requires_extra
from cardwright.testing.agents import LoopbackAgent
from cardwright.testing.assertions import assert_valid_card, validity_of

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

__all__ = ["LoopbackAgent", "agent_cards", "assert_valid_card", "validity_of"]


def agent_cards(dialect: str = "a2a-1.0") -> SearchStrategy[dict[str, Any]]:
    """Return a Hypothesis strategy of JSON objects that the schema of a dialect accepts, unknown fields among them.

    What a schema cannot say does not always hold: a drawn card may name a security scheme that it does not declare.

    Args:
        dialect: A dialect with a schema of its own.

    Raises:
        BadArgument: If there is no such dialect.
        MissingPackage: If the extra `testing` is not installed.
    """
    with requires_extra("testing"):
        from cardwright.testing import strategies
    return strategies.agent_cards(dialect)
