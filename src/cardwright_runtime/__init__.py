"""Runtime of the generated validators and models: the validation engine, checks and fix functions."""
