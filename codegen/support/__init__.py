"""Modules that are printed as they are into `generated/cardwright_models`."""
