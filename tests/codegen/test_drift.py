"""The spec-drift command: its output, explained rows, and errors."""

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from codegen.drift.__main__ import SCHEMAS, main
from codegen.drift.dialects import choose_dialect, find_dialects, tree_of
from codegen.drift.source import Json
from tests.shared import shared

REPOSITORY = Path(__file__).resolve().parents[2]

SAMPLES = Path(__file__).parent / "samples" / "drift"
PROTO = (SAMPLES / "harbour.proto").read_text()
UPSTREAM = (SAMPLES / "ferry.upstream.json").read_text()


@pytest.fixture
def schemas(tmp_path: Path) -> Path:
    """Build a tree with a dialect for the proto and one for the JSON Schema."""
    root = tmp_path / "schemas"
    for version, sample in {"1.0": "harbour", "0.3": "ferry"}.items():
        folder = root / "a2a" / version
        folder.mkdir(parents=True)
        name = f"a2a-{version}"
        manifest = {"name": name, "family": "a2a", "version": version, "title": name}
        manifest["package"] = f"a2a_v{version.replace('.', '_')}"
        manifest["schema"] = "agent-card.schema.json"
        (folder / "dialect.json").write_text(json.dumps(manifest))
        shutil.copy(SAMPLES / f"{sample}.schema.json", folder / "agent-card.schema.json")
    return root


Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(schemas: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    """Return a function that writes a specification and runs the command on it."""

    def run(name: str, body: str | bytes, *more: str) -> tuple[int, str, str]:
        spec = tmp_path / name
        spec.write_bytes(body.encode() if isinstance(body, str) else body)
        status = main([str(spec), *more], schemas)
        captured = capsys.readouterr()
        return status, captured.out, captured.err

    return run


def explain(schemas: Path, *entries: Json) -> None:
    (schemas / "a2a" / "1.0" / "drift.json").write_text(json.dumps(entries))


# Choosing the dialect


@pytest.mark.parametrize(
    ("name", "document", "dialect"),
    [
        ("a2a.proto", None, "a2a-1.0"), ("a2a-0.3.0.json", {}, "a2a-0.3"), ("a2a-v0.3.json", {}, "a2a-0.3"),
        ("a2a.json", {"properties": {"protocolVersion": {"default": "0.3.0"}}}, "a2a-0.3"),
        ("a.json", {"$defs": {"AgentCard": {"properties": {"protocolVersion": {"default": "0.3.1"}}}}}, "a2a-0.3"),
    ],
)  # fmt: skip
def test_the_dialect_is_detected_by_name_or_content(
    name: str, document: Json, dialect: str, schemas: Path
) -> None:
    assert choose_dialect(Path(name), document, find_dialects(tree_of(schemas))).name == dialect


def test_a_schema_without_a_version_requires_the_dialect_option(run: Run) -> None:
    status, _, error = run("harbour.json", UPSTREAM)

    assert status == 2
    assert "add --dialect a2a-0.3 or a2a-1.0" in error


def test_an_unsupported_version_is_refused(run: Run) -> None:
    status, _, error = run("harbour-4.2.json", UPSTREAM)

    assert status == 2
    assert "there is no dialect a2a-4.2" in error


# The command


def test_agreement_is_one_line_and_status_0(run: Run) -> None:
    assert run("harbour.proto", PROTO) == (0, "no drift: 6 messages, 17 fields compared\n", "")


def test_the_dialect_can_be_named(run: Run) -> None:
    status, out, _ = run("harbour.json", UPSTREAM, "--dialect", "a2a-0.3")

    assert (status, out) == (0, "no drift: 4 messages, 9 fields compared\n")


def test_a_file_without_a_suffix_is_detected_by_its_first_character(run: Run) -> None:
    assert run("harbour", PROTO)[0] == 0
    assert run("harbour-0.3", UPSTREAM)[0] == 0


def test_drift_is_a_table_and_status_1(run: Run) -> None:
    status, out, _ = run("harbour.proto", PROTO.replace("string pin", "bool pin"))

    assert status == 1
    assert out.splitlines() == [
        "drift between a2a-1.0 and harbour.proto:",
        "  message.field | what | upstream | local",
        "  PinLock.pin   | type | bool     | string",
        "",
        "drift: rows 1, stale explanations 0; 6 messages, 17 fields compared",
    ]


def test_an_explained_row_is_shown_with_its_reason_and_status_0(run: Run, schemas: Path) -> None:
    entry: dict[str, Json] = {"at": ["KeyLock.key", "PinLock.pin"], "what": "type", "upstream": "bool"}
    explain(schemas, {**entry, "local": "string", "why": "booleans are locked out"})
    text = PROTO.replace("string pin", "bool pin").replace("string key", "bool key")

    status, out, _ = run("harbour.proto", text)

    assert status == 0
    assert out.splitlines() == [
        "explained:",
        "  message.field | what | upstream | local",
        "  KeyLock.key   | type | bool     | string",
        "  PinLock.pin   | type | bool     | string",
        "    because booleans are locked out",
        "",
        "no drift: 6 messages, 17 fields compared",
    ]


def test_an_explanation_without_a_row_is_stale_and_status_1(run: Run, schemas: Path) -> None:
    explain(
        schemas, {"at": "KeyLock.key", "what": "type", "upstream": "bool", "local": "string", "why": "once"}
    )

    status, out, _ = run("harbour.proto", PROTO)

    assert status == 1
    assert out.splitlines()[0] == "explanations that match no row:"
    assert "  KeyLock.key   | type | bool     | string" in out.splitlines()


@pytest.mark.parametrize(
    "entries",
    [
        [{"at": "A.b", "what": "type", "upstream": "x", "local": "y"}],
        [{"at": "A.b", "what": "type", "upstream": "x", "local": "y", "why": ""}],
        [{"at": [], "what": "type", "upstream": "x", "local": "y", "why": "z"}],
        [{"at": "A.b", "what": "type", "upstream": "x", "local": "y", "why": "z", "wy": "z"}],
        [{"at": ["A.b", "A.b"], "what": "type", "upstream": "x", "local": "y", "why": "z"}],
        ["A.b"],
    ],
)
def test_an_explanation_of_another_form_is_refused(entries: list[Json], run: Run, schemas: Path) -> None:
    explain(schemas, *entries)

    status, _, error = run("harbour.proto", PROTO)

    assert status == 2
    assert "drift.json#/0" in error


@pytest.mark.parametrize(
    ("name", "body"),
    [
        ("a.proto", b""), ("a.proto", b" \n"), ("a.proto", b"\x00\xff\xfe\x80"), ("a.proto", b"\x7fELF\x00\x01\x02"),
        ("a.proto", b"Dear reader, this is a letter."), ("a.proto", b"message AgentCard { string name = 1 }"),
        ("a.proto", b"message Other { string name = 1; }"), ("a.proto", b"enum AgentCard { NONE = 0; }"),
        ("a.proto", b"message AgentCard { Missing name = 1; }"),
        ("a.proto", b"message AgentCard {" * 4000 + b"}" * 4000), ("a.proto", b'{"definitions": {}}'),
        ("a-0.3.json", b""), ("a-0.3.json", b"{"), ("a-0.3.json", b"[]"), ("a-0.3.json", b"null"),
        ("a-0.3.json", b"{}"), ("a-0.3.json", b'{"definitions": {"AgentCard": 5}}'),
        ("a-0.3.json", b'{"definitions": {"AgentCard": {"$ref": "#/definitions/AgentCard"}}}'),
        ("a-0.3.json", b'{"definitions": {"AgentCard": {"oneOf": [{"$ref": "#/definitions/AgentCard"}]}}}'),
        ("a-0.3.json", b'{"properties": {"a": {"$ref": "#/nowhere"}}}'),
        ("a-0.3.json", b'{"properties": {"a": {"$ref": "https://example.com/a.json"}}}'),
        ("a-0.3.json", b'{"properties": {"a": {"$ref": 5}}}'),
        ("a-0.3.json", b'{"properties": {"a": ' + b'{"items": ' * 50_000 + b"1" + b"}" * 50_002),
        ("a-0.3.json", b'{"properties": {"a": ' + b'{"type":"array","items":' * 900 + b"1" + b"}" * 902),
        ("a-0.3.json", b'{"properties": ' + b"9" * 5000 + b"}"), ("a-0.3.json", b"message AgentCard {}"),
        ("a-0.3.json", b" " * 5_000_000),
    ],
)  # fmt: skip
def test_an_unreadable_file_is_reported_in_one_line_with_status_2(name: str, body: bytes, run: Run) -> None:
    status, out, error = run(name, body)

    assert (status, out) == (2, "")
    assert error.startswith("error: ")
    assert error.count("\n") == 1


def test_names_from_upstream_cannot_break_a_line_or_the_terminal(run: Run) -> None:
    text = UPSTREAM.replace('"mode"', r'"new\n\u001b[2J\ud800"')

    status, out, _ = run("harbour-0.3.json", text)

    assert status == 1
    assert r"AgentCard.new\n\x1b[2J\ud800 | field | string   | absent" in out


def test_the_module_runs_and_reports_a_missing_file_without_a_traceback() -> None:
    command = [sys.executable, "-m", "codegen.drift", "no-such-file.proto"]

    done = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, check=False)

    assert done.returncode == 2
    assert done.stderr == "error: no-such-file.proto: No such file or directory; use a readable file\n"


def test_a_directory_is_refused(schemas: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(schemas)], schemas) == 2
    assert "Is a directory" in capsys.readouterr().err


# The published specifications


@pytest.mark.parametrize("name", ["a2a-0.1.0.json", "a2a-0.2.6.json", "a2a-0.3.0.json"])
def test_the_schemas_do_not_drift_from_the_published_ones(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    status = main([str(shared("spec", name))], SCHEMAS)

    assert status == 0, capsys.readouterr().out
