"""Tasks that are the gateway's own: in a2a-sdk's SQL stores, for as long as they are kept."""
