"""Translator interface: it rewrites a response as analysis for a peer's model (Beach protocol seed, llm-context translator)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from cardwright_runtime.violation import JsonValue


@dataclass(frozen=True, slots=True, kw_only=True)
class TranslationRequest:
    """Input of a translator: a settled turn.

    Attributes:
        response: The response text, written for a person.
        data: The domain data of the turn.
        language: The output language as a BCP 47 tag; None for the language of the response.
        session_id: The session.
        event_id: The turn.
    """

    response: str
    data: JsonValue = None
    language: str | None = None
    session_id: str = ""
    event_id: str = ""


class Translator(Protocol):
    """Interface of a translator that writes the `llm-context` of a turn."""

    async def translate(self, request: TranslationRequest) -> str:
        """Return analytical prose for a peer's model; raise `TranslationFailed` on failure."""
        ...
