"""The lint rules of `schemas/README.md`, one module for each kind of file."""
