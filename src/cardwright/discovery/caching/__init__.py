"""What may be kept of an answer, how long it is fresh, and what is asked when it is not (RFC 9111)."""

from cardwright.discovery.caching.decisions import plan, settle
from cardwright.discovery.caching.freshness import fresh_until
from cardwright.discovery.caching.values import CREDENTIALS, Kept, Plan, Settled, digested

__all__ = ["CREDENTIALS", "Kept", "Plan", "Settled", "digested", "fresh_until", "plan", "settle"]
