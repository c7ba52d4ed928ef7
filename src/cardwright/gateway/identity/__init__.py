"""Who is asking: keys of agents, users by their tokens, and what each may."""

from cardwright.gateway.identity.identity import Identity
from cardwright.gateway.identity.principal import NOBODY, Principal, Quota

__all__ = ["NOBODY", "Identity", "Principal", "Quota"]
