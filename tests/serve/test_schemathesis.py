"""The OpenAPI description, tested with Schemathesis in this process."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import schemathesis
from schemathesis.generation.meta import TestPhase
from schemathesis.specs.openapi.checks import positive_data_acceptance

from cardwright import Card
from cardwright.serve import ApiKeys, Caller, well_known_agent_card
from tests.openapi_checks import CHECKED, CHECKS

if TYPE_CHECKING:
    from schemathesis import Case

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
OPENAPI = "/openapi.json"
# Not negative_data_rejection: an empty version and one with a patch number are taken, too (A2A 1.0 §3.6.1, §14.2.1).


@cache
def one() -> Any:
    return well_known_agent_card(example("a2a-1.0"), openapi_path=OPENAPI)


@cache
def several() -> Any:
    cards = {name: example(name) for name in ("a2a-0.3", "a2a-1.0", "beach-1.0")}
    return well_known_agent_card(cards, openapi_path=OPENAPI, index_path="/", root="a2a-0.3")


@cache
def guarded() -> Any:
    keys = ApiKeys.of({"a-key-of-some-length": Caller("a")})
    return well_known_agent_card(
        example("a2a-hybrid"), authenticate=keys, rpc_path="/rpc", openapi_path=OPENAPI
    )


def example(name: str) -> Card:
    return Card.from_bytes((EXAMPLES / f"{name}.card.json").read_bytes())


alone = schemathesis.openapi.from_asgi(OPENAPI, one())
extended = schemathesis.openapi.from_asgi(OPENAPI, guarded())
many = schemathesis.openapi.from_asgi(OPENAPI, several())


def held(case: Case[Any]) -> None:
    """Check an answer; and that what fits the description is taken, where Schemathesis 4.32 makes what fits."""
    # In its coverage phase it sends `If-None-Match: 0`, whatever the pattern.
    fits = case.meta is not None and case.meta.phase.name == TestPhase.FUZZING
    case.call_and_validate(checks=[*CHECKS, positive_data_acceptance] if fits else CHECKS)


@alone.parametrize()  # pyright: ignore[reportUntypedFunctionDecorator] # it has no types
@CHECKED
def test_one_card_is_served_as_described(case: Case[Any]) -> None:
    held(case)


@pytest.mark.parametrize("key", ["a-key-of-some-length", None])
@extended.parametrize()  # pyright: ignore[reportUntypedFunctionDecorator] # it has no types
@CHECKED
def test_an_extended_card_is_served_as_described(case: Case[Any], key: str | None) -> None:
    if key:
        case.headers["X-API-Key"] = key
    held(case)


@many.parametrize()  # pyright: ignore[reportUntypedFunctionDecorator] # it has no types
@CHECKED
def test_several_cards_are_served_as_described(case: Case[Any]) -> None:
    held(case)
