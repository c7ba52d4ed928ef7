"""The press: reads `schemas/`, prints `generated/`. It imports neither `generated/` nor `src/`."""
