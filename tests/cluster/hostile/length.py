"""How long each kind of attack lasts, and its seed.

`CARDWRIGHT_HOSTILE_SECONDS` is the time of all of them, `CARDWRIGHT_HOSTILE_SEED` the seed (0: another each time).
"""

from __future__ import annotations

import os
import random
from typing import Final

SEED: Final = int(os.environ.get("CARDWRIGHT_HOSTILE_SEED", "22")) or random.SystemRandom().randrange(
    1, 2**31
)
_TOTAL: Final = float(os.environ.get("CARDWRIGHT_HOSTILE_SECONDS", "0"))
# The seconds of a short run, and the share of a long one; starting gateways and `test_dripping.py` take the rest.
_KINDS: Final = {"requests": (60, 0.55), "grpc": (5, 0.15), "files": (8, 0.2)}


def seconds_of(kind: str) -> float:
    """Return how long a kind of attack lasts."""
    short, share = _KINDS[kind]
    return _TOTAL * share or short
