"""A2A on the wire: operations, requests, responses and error codes."""
