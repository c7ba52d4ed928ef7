"""One guarded HTTP client: the only place from which connections are opened."""
