"""The HTTP endpoints of the gateway."""
