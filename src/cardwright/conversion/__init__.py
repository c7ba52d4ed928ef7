"""Conversion between all dialects through A2A 1.0 as the hub, with a report of every loss and assumption."""

from cardwright.conversion.convert import (
    CONVERTIBLE,
    Hub,
    convert,
    convert_message,
    convert_to_server,
    to_hub,
)
from cardwright.conversion.report import Assumption, ConversionReport, Loss

__all__ = [
    "CONVERTIBLE",
    "Assumption",
    "ConversionReport",
    "Hub",
    "Loss",
    "convert",
    "convert_message",
    "convert_to_server",
    "to_hub",
]
