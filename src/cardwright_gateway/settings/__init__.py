"""The settings of a gateway: agents, owners, limits and webhooks."""
