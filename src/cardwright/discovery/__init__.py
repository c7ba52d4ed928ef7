"""Peers: fetched, kept fresh, chosen from and called."""
