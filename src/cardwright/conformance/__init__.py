"""Conformance of any implementation: the cases of a kit, a program that answers them, and the comparison of its answers.

The program reads one JSON value a line from standard input and writes one a line to standard output; `conformance/README.md`
in the kit describes it.
"""

from cardwright.conformance.expectations import Expectations, read_expectations
from cardwright.conformance.kit import LEVELS, OPERATIONS, Case, Kit, find_kit, read_kit
from cardwright.conformance.program import Description
from cardwright.conformance.run import Outcome, Report, Result, run

__all__ = [
    "LEVELS",
    "OPERATIONS",
    "Case",
    "Description",
    "Expectations",
    "Kit",
    "Outcome",
    "Report",
    "Result",
    "find_kit",
    "read_expectations",
    "read_kit",
    "run",
]
