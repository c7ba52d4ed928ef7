"""Measurements against peers, side by side in one interleaved run."""
