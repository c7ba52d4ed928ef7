"""The gateway's own tasks: storage in a2a-sdk's SQL stores, recovery and retention."""
