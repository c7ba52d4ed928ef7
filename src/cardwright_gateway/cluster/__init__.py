"""Processes that share one database: heartbeats and synchronisation."""
