"""The gRPC binding of A2A: a server on a port of its own, whose calls take the way of JSON-RPC calls (A2A 1.0 §10)."""
