"""Functions that build the parts of a gateway from its settings."""
