"""What CI runs beside the tests: style of words, budgets of lines, the distribution, its installs and its deployment."""
