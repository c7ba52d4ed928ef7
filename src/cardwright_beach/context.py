"""`llm-context` parts: one translation per language, with a time limit."""

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
    """Translations of one turn by language; several receivers may wait for the same one.

    Args:
        translator: Writes the text; None for no `llm-context`.
        seconds: Time limit.
    """

    def __init__(self, translator: Translator | None, seconds: float) -> None:
        self.translator = translator
        self._seconds = seconds
        self._tasks: dict[str | None, asyncio.Task[Part]] = {}

    @property
    def tasks(self) -> list[asyncio.Task[Part]]:
        """Running and finished translations."""
        return list(self._tasks.values())

    async def part(self, language: str | None, request: Callable[[], TranslationRequest]) -> Part:
        """Return the `llm-context` part in a language; the translator runs once per language.

        Source: Beach protocol seed, Concern; Delivery rules per transport class.

        Raises:
            TranslationFailed: On any failure, so that only this part is lost.
        """
        if self.translator is None:
            raise TranslationFailed("none", "build_envelope was called without a translator")
        if language not in self._tasks:
            translation = _translated(self.translator, request(), self._seconds)
            self._tasks[language] = asyncio.create_task(translation)
        task = self._tasks[language]
        # `wait` does not cancel the task when one receiver is cancelled; others may wait for it.
        await asyncio.wait([task])
        if task.cancelled():
            raise TranslationFailed("failed", "the envelope was closed during the translation")
        return task.result()


async def _translated(translator: Translator, request: TranslationRequest, seconds: float) -> Part:
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
        raise TranslationFailed("failed", "the translator cancelled itself") from None
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
        raise TranslationFailed("bad-answer", f"the translator's text is not a valid part: {error}") from None
