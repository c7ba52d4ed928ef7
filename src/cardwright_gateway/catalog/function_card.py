"""The card of an agent that is a Python function, derived from its name, docstring and annotations."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any, Final

from cardwright.builder import build_a2a_card
from cardwright.builder.described import MARK, DescribedFunction, described
from cardwright.errors import BadConfiguration, CardError

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright.card import Card
    from cardwright_gateway.settings.agents import AgentConfig

_VERSION: Final = "1.0.0"
_TEXT: Final = "text/plain"
_JSON: Final = "application/json"
# The schemas that a builder would derive describe the Python parameters, and callers send a message.
_SCHEMAS: Final = ("inputSchema", "outputSchema")


def function_card(config: AgentConfig, function: Callable[..., Any], url: str) -> Card:
    """Return the A2A 1.0 card of a function.

    It has one skill: its id and name are those of the function, its description is the first sentence of the
    docstring. The media types follow from the annotations `str` and `dict`, and a generator streams.

    Args:
        config: The settings of the agent; `name`, `description` and `version` override what is derived.
        function: The function.
        url: The URL of the agent at the gateway.

    Raises:
        BadConfiguration: If the function has no docstring and the settings have no description.
    """
    described_as = {"description": config.description} if config.description else {}
    explicit = function.overrides if isinstance(function, DescribedFunction) else getattr(function, MARK, {})
    underived = {name: True for name in _SCHEMAS if name not in explicit}
    called = function.function if isinstance(function, DescribedFunction) else function
    try:
        one = described(function, {**underived, **described_as})
        skill = {name: value for name, value in one.to_skill().items() if name not in underived}
        skill["tags"] = skill["tags"] or [one.id]
        takes, returns = _annotations(called)
        return build_a2a_card(
            name=config.name or one.name,
            description=one.description,
            version=_VERSION if config.version is None else str(config.version),
            skills=[skill],
            url=url,
            input_modes=_modes(takes),
            output_modes=_modes(returns),
            streaming=True,
        )
    except CardError as error:
        # The builder speaks of arguments in Python.
        why = str(error).replace("or pass description=", "or set `description`")
        raise BadConfiguration(
            "", f"/agents/{config.id}: no card can be derived from the function: {why}. Or set `card`"
        ) from None


def _annotations(function: Callable[..., Any]) -> tuple[str, str]:
    """Return the annotations of the first parameter and of the result as text; "" for a missing one."""
    signature = inspect.signature(function)
    parameter = next(iter(signature.parameters.values()), None)
    takes = inspect.Parameter.empty if parameter is None else parameter.annotation
    return _text_of(takes), _text_of(signature.return_annotation)


def _text_of(annotation: Any) -> str:
    if annotation is inspect.Signature.empty:
        return ""
    return annotation if isinstance(annotation, str) else getattr(annotation, "__name__", str(annotation))


def _modes(annotation: str) -> list[str]:
    """Return the media types of a value: of `str` and `dict` one, of any other annotation both."""
    if annotation == "str":
        return [_TEXT]
    return [_JSON] if annotation.partition("[")[0] == "dict" else [_TEXT, _JSON]
