"""How many requests one caller may send one agent within a moving window (BeeOS seed §2)."""

from cardwright.gateway.limiting.limiter import Limiter, Standing

__all__ = ["Limiter", "Standing"]
