"""Who is calling, what they may do, and how often (BeeOS seed §2, §3 and §8)."""

from cardwright_gateway.auth.authenticator import Authenticator
from cardwright_gateway.auth.limiter import Limiter, Standing
from cardwright_gateway.auth.principal import ANONYMOUS, Principal, Quota

__all__ = ["ANONYMOUS", "Authenticator", "Limiter", "Principal", "Quota", "Standing"]
