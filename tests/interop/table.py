"""Results of the runs, as stored data and as a documentation page."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tests.interop.peers.steps import ABSENT

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

HERE: Final = Path(__file__).parent
RESULTS: Final = HERE / "results.json"
PAGE: Final = HERE.parents[1] / "docs" / "pages" / "explanation" / "interoperability.md"
_NO: Final = "no: "
NOT_INSTALLED: Final = "not installed"
_HEAD: Final = """\
# Interoperability

What works between cardwright and the SDKs of others. A script ran every cell: `make interop` installs the SDKs, each in
an environment of its own, runs all of it again and fails if a result differs from this page; with `WRITE=1` it writes the page.

| cell | meaning |
|---|---|
| `yes` | it worked: the result was checked, not only the status |
| `no (1)` | it did not work; the error is below the table |
| `–` | the SDK or the server does not have the feature |
"""
_PROBE_HEAD: Final = """\
### Errors that probe found

All of them are right: the agent does not do what its card or the specification says.
"""


@dataclass(frozen=True, slots=True)
class Table:
    """One table of results.

    Attributes:
        columns: The headings, the first one for the names of the rows.
        rows: The cells by row and column.
    """

    columns: Sequence[str]
    rows: Mapping[str, Mapping[str, str]]

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Table:
        """Return a stored table."""
        return cls(tuple(value["columns"]), value["rows"])

    def to_json(self) -> dict[str, Any]:
        """Return the table as stored JSON."""
        return {"columns": list(self.columns), "rows": {name: dict(row) for name, row in self.rows.items()}}

    def to_markdown(self) -> str:
        """Return the table as Markdown, with the reasons below it, each once."""
        reasons: dict[str, int] = {}
        lines = [self.columns, ["---"] * len(self.columns)]
        for name, row in self.rows.items():
            cells = [row.get(column, ABSENT) for column in self.columns[1:]]
            for cell in cells:
                if cell.startswith(_NO):
                    reasons.setdefault(cell.removeprefix(_NO), len(reasons) + 1)
            lines.append([name, *(_shown(cell, reasons) for cell in cells)])
        table = "".join(f"| {' | '.join(line)} |\n" for line in lines)
        listed = "".join(f"{number}. `{reason}`\n" for reason, number in reasons.items())
        return f"{table}\n{listed}" if listed else table

    def installed(self) -> Iterable[tuple[str, Mapping[str, str]]]:
        """Yield the rows that were run."""
        return ((name, row) for name, row in self.rows.items() if NOT_INSTALLED not in row.values())


def _shown(cell: str, reasons: Mapping[str, int]) -> str:
    number = reasons.get(cell.removeprefix(_NO)) if cell.startswith(_NO) else None
    return cell if number is None else f"no ({number})"


def stored() -> dict[str, Table]:
    """Return the stored tables by name."""
    if not RESULTS.exists():
        return {}
    return {name: Table.from_json(one) for name, one in json.loads(RESULTS.read_bytes()).items()}


def store(tables: Mapping[str, Table]) -> None:
    """Store the tables, and write the page."""
    kept = {name: tables[name].to_json() for name in SECTIONS if name in tables}
    RESULTS.write_text(json.dumps(kept, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    PAGE.write_text(page(tables), encoding="utf-8")


def page(tables: Mapping[str, Table]) -> str:
    """Return the page."""
    sections = [f"{text}\n{tables[name].to_markdown()}" for name, text in SECTIONS.items() if name in tables]
    return "\n".join([_HEAD, *sections, _PROBE_HEAD, *(_probe_lines(tables["A2A servers"]))]) + "\n"


def probe_errors(table: Table) -> Iterable[tuple[str, str]]:
    """Yield the errors that `probe` found: a release without its patch number, and the rule."""
    for name, row in table.rows.items():
        cell = row.get("probe", ABSENT)
        if cell.startswith(_NO):
            yield from ((name.rpartition(".")[0], rule) for rule in cell.removeprefix(_NO).split(", "))


def _probe_lines(table: Table) -> Iterable[str]:
    yield "| server | error | why |\n| --- | --- | --- |"
    for name, rule in probe_errors(table):
        yield f"| {name} | `{rule}` | {PROBE_ERRORS.get((name, rule), 'unknown')} |"


def differences(new: Table, old: Table | None) -> list[str]:
    """Return what differs from the stored table, for the rows that were run."""
    before = old.rows if old else {}
    return [
        f"{name}, {column}: {row.get(column, ABSENT)}; stored: {before.get(name, {}).get(column, ABSENT)}"
        for name, row in new.installed()
        for column in new.columns[1:]
        if row.get(column, ABSENT) != before.get(name, {}).get(column, ABSENT)
    ]


# The name of each table, with the text before it.
SECTIONS: Final[Mapping[str, str]] = {
    "round trip": """\
## Round trip of every dialect

Each card of `examples/`, through the parts of cardwright:

- **serve**: `well_known_agent_card` publishes valid cards only, for callers without a version, of 1.0 and of 0.3; one of
  them is the card itself.
- **discover**, **registry**: `fetch_card` and `AgentRegistry` read one of these cards, with all interfaces, as a dialect of
  the same family. **read as** names it: a card of 0.3 is published with the fields of 1.0 added, and a hybrid card is read
  in its form of 1.0.
- **a2a-sdk**: its resolver reads the card and its A2A interfaces.
- **gateway**: a Python function answers in the gateway with this card; `fetch_card` reads a valid card whose interfaces are
  all at the gateway.
- **probe**: `probe` of this agent, with messages, reports no error.
""",
    "typed models": """\
## Typed models

How many valid public cards come back exactly as they were from the types of each library. A card is read with `model_validate`
(protobuf: `ParseDict` with `ignore_unknown_fields`) and written by the call in the heading; **in a model** is a field of another
model of pydantic, **FastAPI** a route that takes a card and returns it.

The types of the other libraries leave out fields that A2A does not define, which most public cards have, write `null` for what is
absent unless the call says otherwise, or add a default. For a client that reads cards this is harmless; a store, a proxy and a
signature need the card as it was. cardwright's types need no option; `exclude_none` would remove a `null` in an unknown field.
a2a-sdk 1.x has the types of 0.3 for compatibility, and protobuf messages for 1.0.
""",
    "A2A clients": """\
## A2A clients before the gateway

A Python function behind the gateway, with `tasks: own`, webhooks and gRPC. Each client reads the card and uses only the
interfaces of its version of A2A, JSON-RPC unless the column says otherwise.

- **send**: a message that is answered by a message; **HTTP+JSON** and **gRPC** send it over these bindings.
- **stream**: a task whose result comes in two pieces; **get task** reads it afterwards.
- **list tasks**: with a key: callers without credentials have no list. A2A 0.3 has no method for it over JSON-RPC.
- **cancel**: a task that waits for input. **resubscribe**: a client leaves the stream of a running task and subscribes
  again, and sees that the task is cancelled.
- **push …**: a push configuration is set, read, listed and deleted.
- **extended card**: of an agent whose public card is reduced, with a key.

google-adk refuses a card with an interface at another origin than the card, and says that its URL must be `https` or at
loopback; the port of gRPC is such an origin. The skills of fasta2a's
cards always have input and output modes, which A2A does not require, and its client of 2.x calls the methods of A2A 0.3 but
reads the objects of 1.0.
""",
    "MCP clients": """\
## MCP clients before the gateway

A server that uses mcp 2.x behind the gateway; the clients connect to the agent as an MCP server (`/agents/{id}/mcp`).
""",
    "A2A servers": """\
## A2A servers

The same small agent, written with each SDK. `fetch_card` reads its card, and `call_agent` chooses an interface and calls it.

- **discover**: the card is read and has no error. **read as** names its dialect.
- **send**, **stream**: a message, and a task whose result comes as a stream.
- **multi-turn**: the agent asks a question, and the answer ends the task.
- **cancel**: a call that is given up cancels the task at the agent.
- **probe**: `probe`, with messages, reports no error.
- **gateway, pass** and **gateway, own**: the agent behind the gateway, with `tasks: pass` and `tasks: own`; discover, send,
  stream, multi-turn and cancel work there.

fasta2a starts a new task for every message, and an agent of google-adk asks only through its tools: they have no multi-turn.
Both releases of fasta2a reply before they work: `call_agent`, and the gateway with `tasks: own`, read the task until it has
ended. fasta2a 0.x has no streams, so there is no call to give up.
""",
    "MCP servers": """\
## MCP servers

A server with two tools, written with each SDK.

- **probe**: `cardwright probe` of its URL says that it is an MCP server.
- **call_agent** calls a tool directly.
- **card**, **A2A call**, **A2A stream**, **MCP call**: behind the gateway it is an A2A agent with a card, and an MCP server.
- **probe of the agent** at the gateway reports no error.
""",
}
# What `probe` found, by the release of a package without its patch number and the rule, with the reason why it is right.
PROBE_ERRORS: Final[Mapping[tuple[str, str], str]] = {
    (
        "a2a-sdk 1.3",
        "probe/card-valid",
    ): "the agent has JSON-RPC and REST at one URL; the SDK lists only REST for it in"
    " `additionalInterfaces` (A2A 0.3 §5.6.4)",
    (
        "a2a-sdk 1.3",
        "probe/extended-card",
    ): "the agent sends its extended card to every caller (A2A 1.0 §13.3)",
    (
        "a2a-sdk 0.3",
        "probe/extended-card",
    ): "the agent sends its extended card to every caller (A2A 1.0 §13.3)",
    (
        "@a2a-js/sdk 1.3",
        "probe/version-empty",
    ): "without `A2A-Version` its REST answers as A2A 1.0 (A2A 1.0 §3.6.2)",
    ("fasta2a 2.1", "probe/interface-binding"): "an unknown method is HTTP 500 instead of -32601",
    ("fasta2a 2.1", "probe/push"): "a method for push notifications is HTTP 500 instead of -32003",
    ("fasta2a 2.1", "probe/version-empty"): "without `A2A-Version` it answers as A2A 1.0 (A2A 1.0 §3.6.2)",
    ("fasta2a 2.1", "probe/version-refused"): "it accepts any `A2A-Version` (A2A 1.0 §3.6.2)",
    ("fasta2a 0.6", "probe/interface-binding"): "an unknown method is HTTP 500 instead of -32601",
}
