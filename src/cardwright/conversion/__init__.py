"""Any dialect to any dialect, through the A2A 1.0 hub, with every loss and assumption accounted for."""

from cardwright.conversion.convert import CONVERTIBLE, Hub, convert, to_hub
from cardwright.conversion.report import Assumption, ConversionReport, Loss

__all__ = ["CONVERTIBLE", "Assumption", "ConversionReport", "Hub", "Loss", "convert", "to_hub"]
