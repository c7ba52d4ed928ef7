"""Valid public cards through the types of several libraries: which come back as they were."""

from __future__ import annotations

from collections import defaultdict
from typing import Any, Final, NamedTuple

from cardwright.card import Card
from cardwright.errors import CardError
from tests.interop.peers.steps import ABSENT
from tests.interop.programs import Program
from tests.interop.table import NOT_INSTALLED, Table
from tests.shared import SHARED, corpus_index

COLUMNS: Final = (
    "types", "A2A", "valid cards", "read", "model_dump", "exclude_none", "exclude_unset", "in a model, exclude_unset",
    "FastAPI", "FastAPI, exclude_unset", "MessageToDict",
)  # fmt: skip
_PROGRAM: Final = "typed_models.py"


class Library(NamedTuple):
    """The types of a version of A2A in a package: a module with the class `AgentCard`, or "" for protobuf messages."""

    package: str
    version: str
    module: str
    environment: str = ""


LIBRARIES: Final = (
    Library("cardwright-models", "0.2", "cardwright_models.a2a_v0_2"),
    Library("cardwright-models", "0.3", "cardwright_models.a2a_v0_3"),
    Library("cardwright-models", "1.0", "cardwright_models.a2a_v1_0"),
    Library("a2a-sdk", "0.3", "a2a.types", "a2a-0.3"),
    Library("a2a-pydantic", "0.3", "a2a_pydantic.v03", "a2a-pydantic"),
    Library("a2a-pydantic", "1.0", "a2a_pydantic.v10", "a2a-pydantic"),
    Library("a2a-sdk", "0.3", "a2a.compat.v0_3.types"),
    Library("a2a-sdk", "1.0", ""),
)


async def typed_models() -> Table:
    """Read and write the valid cards of the corpus, which is beside this checkout, with each library."""
    cards = valid_cards()
    rows: dict[str, dict[str, str]] = {}
    for library in LIBRARIES:
        program = Program(_PROGRAM, library.environment)
        # All distributions of this project have one version.
        release = program.release(library.package.removesuffix("-models"))
        label = f"{library.package} {release}, {library.module or 'protobuf'}"
        documents = cards[library.version]
        report = await program.report({"module": library.module, "cards": documents}) if documents else None
        row = {"A2A": library.version, "valid cards": str(len(documents))}
        counts = report if report is not None else dict.fromkeys(COLUMNS[3:], NOT_INSTALLED)
        rows[label] = row | {column: str(counts.get(column, ABSENT)) for column in COLUMNS[3:]}
    return Table(COLUMNS, rows)


def valid_cards() -> dict[str, list[Any]]:
    """Return the valid cards of the corpus by their version of A2A."""
    found: defaultdict[str, list[Any]] = defaultdict(list)
    for row in corpus_index():
        try:
            card = Card.from_bytes((SHARED / "corpus" / row["file"]).read_bytes())
        except CardError:
            continue
        if card.valid and card.dialect.family == "a2a":
            found[card.dialect.version].append(card.document)
    return found
