"""The scripts themselves, by number."""
