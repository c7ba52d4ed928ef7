"""What `check` prints: one module a format, each a function from rows to text or a JSON value."""
