"""`llm-context`: what a translator writes of a turn, in time or not at all."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from cardwright.envelope.parts import Part
from cardwright.errors import BadPart, TranslationFailed

if TYPE_CHECKING:
    from cardwright.envelope.translation import TranslationRequest, Translator


async def context_of(translator: Translator, request: TranslationRequest, seconds: float) -> Part:
    """Return the `llm-context` part that a translator writes.

    Source: Beach protocol seed, Concern; Delivery rules per transport class.

    Args:
        translator: Who writes it.
        request: What it is written of.
        seconds: How long it may take.

    Raises:
        TranslationFailed: Whatever else went wrong, so that it costs this part and no other.
    """
    try:
        async with asyncio.timeout(seconds):
            text = await translator.translate(request)
    except TranslationFailed:
        raise
    except TimeoutError:
        raise TranslationFailed("timeout", f"the translator took longer than {seconds:g} s") from None
    except Exception as error:
        raise TranslationFailed("failed", f"the translator raised {type(error).__name__}") from error
    metadata: dict[str, Any] = {"partType": "llm-context"}
    if request.language:
        metadata["language"] = request.language
    try:
        return Part.of({"text": text, "metadata": metadata})
    except BadPart as error:
        raise TranslationFailed("empty", f"the translator returned no text: {error}") from None
