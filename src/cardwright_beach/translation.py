"""How an answer for people becomes analysis for a peer's model (Beach protocol seed, llm-context translator)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from cardwright_runtime.violation import JsonValue


@dataclass(frozen=True, slots=True, kw_only=True)
class TranslationRequest:
    """What a translator is given, once a turn, when the turn is settled.

    Attributes:
        response: The answer as it was written for people.
        data: The domain data of the turn.
        language: What to write in, as a BCP 47 tag; None for the language of the response.
        session_id: The session.
        event_id: The turn.
    """

    response: str
    data: JsonValue = None
    language: str | None = None
    session_id: str = ""
    event_id: str = ""


class Translator(Protocol):
    """What writes the `llm-context` of a turn."""

    async def translate(self, request: TranslationRequest) -> str:
        """Return analytical prose for a peer's model; `TranslationFailed` where there is none."""
        ...
