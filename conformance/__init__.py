"""The conformance kit: what builds it, and what runs other implementations through it."""
