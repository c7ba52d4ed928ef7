"""`python -m cardwright` is the command line."""

from cardwright.cli import main

main()
