"""`python -m cardwright`: the command line."""

from cardwright.cli import main

main()
