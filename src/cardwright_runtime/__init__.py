"""What the generated validators and models call: the validation engine, checks and fix functions."""
