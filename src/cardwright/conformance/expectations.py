"""Lists of expected failures: a run fails if another case fails, and if one of the list no longer does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardwright.errors import BadConfiguration
from cardwright.regular_file import read_regular_file

if TYPE_CHECKING:
    from pathlib import Path

    from cardwright.conformance.kit import Kit
    from cardwright.conformance.run import Report


@dataclass(frozen=True, slots=True)
class Expectations:
    """What a report says beside a list of expected failures.

    Attributes:
        unexpected_failures: The ids of cases that failed and are not in the list.
        unexpected_passes: The ids of the list whose cases passed, or are no longer supported: take them off the list.
    """

    unexpected_failures: tuple[str, ...]
    unexpected_passes: tuple[str, ...]

    @property
    def met(self) -> bool:
        """Whether exactly the cases of the list failed."""
        return not self.unexpected_failures and not self.unexpected_passes

    @classmethod
    def of(cls, report: Report, expected: frozenset[str]) -> Expectations:
        """Compare a report with a list; cases that were not run count for neither."""
        bad = {one.case.id for one in report.results if one.bad}
        good = {one.case.id for one in report.results if not one.bad}
        return cls(tuple(sorted(bad - expected)), tuple(sorted(good & expected)))


def read_expectations(path: Path, kit: Kit) -> frozenset[str]:
    """Return the ids of a list of expected failures: one a line; what follows a # is a remark.

    Raises:
        BadConfiguration: If the file cannot be read, or names a case that the kit does not have.
    """
    try:
        lines = read_regular_file(path).decode().splitlines()
    except OSError as error:
        raise BadConfiguration(str(path), f"cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise BadConfiguration(str(path), "is not UTF-8") from None
    ids = {text for line in lines if (text := line.partition("#")[0].strip())}
    unknown = sorted(ids - {case.id for case in kit.cases})
    if unknown:
        raise BadConfiguration(
            str(path), *(f"{one}: the kit {kit.version} has no such case" for one in unknown)
        )
    return frozenset(ids)
