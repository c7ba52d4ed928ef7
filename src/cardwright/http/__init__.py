"""Requests, responses, problems and negotiation, shared by `serve` and the gateway."""
