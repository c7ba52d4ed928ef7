"""Code generator: reads `schemas/`, writes `generated/`. It imports nothing of `generated/`."""
