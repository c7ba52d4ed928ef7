"""What commands print: one module a format, each a function from what was found to text or a JSON value."""
