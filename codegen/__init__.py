"""The press: it reads `schemas/` and prints what follows from them."""
