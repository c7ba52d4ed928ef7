"""Envelopes: the parts of an agent's answer, to whom each goes, approvals, surfaces (Beach protocol seed)."""
