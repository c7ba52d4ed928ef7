"""Caching of responses (RFC 9111): what to store, how long it is fresh, when to revalidate."""

from cardwright.discovery.caching.decisions import plan, settle
from cardwright.discovery.caching.freshness import fresh_until
from cardwright.discovery.caching.values import CREDENTIALS, Plan, Settled, StoredResponse, digested

__all__ = ["CREDENTIALS", "Plan", "Settled", "StoredResponse", "digested", "fresh_until", "plan", "settle"]
