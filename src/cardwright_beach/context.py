"""`llm-context`: what a translator writes of a turn, once for each language, in time or not at all."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from cardwright.errors import CardError
from cardwright_beach.errors import BadPart, TranslationFailed
from cardwright_beach.handler import is_cancelled
from cardwright_beach.parts import Part

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright_beach.translation import TranslationRequest, Translator


class Contexts:
    """What was written of one turn, by language; several receivers may wait for the same.

    Args:
        translator: Who writes it; None where nobody does.
        seconds: How long it may take.
    """

    def __init__(self, translator: Translator | None, seconds: float) -> None:
        self.translator = translator
        self._seconds = seconds
        self._made: dict[str | None, asyncio.Task[Part]] = {}

    @property
    def tasks(self) -> list[asyncio.Task[Part]]:
        """What is being written, or was."""
        return list(self._made.values())

    async def part(self, language: str | None, request: Callable[[], TranslationRequest]) -> Part:
        """Return the `llm-context` part in a language; the translator is asked once for each.

        Source: Beach protocol seed, Concern; Delivery rules per transport class.

        Raises:
            TranslationFailed: Whatever went wrong, so that it costs this part and no other.
        """
        if self.translator is None:
            raise TranslationFailed("none", "no translator was given to build_envelope")
        if language not in self._made:
            writing = _written(self.translator, request(), self._seconds)
            self._made[language] = asyncio.create_task(writing)
        task = self._made[language]
        # `wait` leaves it running when one receiver goes away, since the others may wait for it.
        await asyncio.wait([task])
        if task.cancelled():
            raise TranslationFailed("failed", "the envelope was closed meanwhile")
        return task.result()


async def _written(translator: Translator, request: TranslationRequest, seconds: float) -> Part:
    deadline = asyncio.timeout(seconds)
    try:
        async with deadline:
            text = await translator.translate(request)
    except TranslationFailed:
        raise
    except CardError as error:
        raise TranslationFailed("failed", str(error)) from error
    except asyncio.CancelledError:
        if is_cancelled():
            raise
        raise TranslationFailed("failed", "the translator was cancelled by something of its own") from None
    except Exception as error:
        if deadline.expired():
            raise TranslationFailed("timeout", f"the translator took longer than {seconds:g} s") from None
        raise TranslationFailed("failed", f"the translator raised {type(error).__name__}") from error
    metadata: dict[str, Any] = {"partType": "llm-context"}
    if request.language:
        metadata["language"] = request.language
    if not isinstance(text, str) or not text.strip():
        raise TranslationFailed("empty", "the translator returned no text")
    try:
        return Part.of({"text": text, "metadata": metadata})
    except BadPart as error:
        raise TranslationFailed("bad-answer", f"the translator's text is no part: {error}") from None
