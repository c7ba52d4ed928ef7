"""Agents and the cards that the gateway serves for them."""
