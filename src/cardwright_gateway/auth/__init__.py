"""Authentication, access control and rate limits of callers (BeeOS seed §2, §3 and §8)."""

from cardwright_gateway.auth.authenticator import Authenticator
from cardwright_gateway.auth.limiter import Limiter, LimiterStatus
from cardwright_gateway.auth.principal import ANONYMOUS, Principal, Quota

__all__ = ["ANONYMOUS", "Authenticator", "Limiter", "LimiterStatus", "Principal", "Quota"]
