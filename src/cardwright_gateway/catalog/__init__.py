"""The agents of the gateway, and their served cards."""
