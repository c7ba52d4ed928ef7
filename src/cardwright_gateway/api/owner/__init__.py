"""The API of the owners of agents: `/api/v1` (BeeOS seed §6 and §7)."""
