"""The API of those whose agents are here: `/api/v1` (BeeOS seed §6 and §7)."""

from __future__ import annotations

from cardwright_gateway.api.owner.application import answer_api

__all__ = ["answer_api"]
