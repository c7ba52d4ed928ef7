"""`show`, `detect` and `schema`, and how light they are."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from rich.console import Console

from cardwright.card import Card
from cardwright.cli.reports.document_view import sheet
from cardwright.errors import UnknownDialect
from cardwright.outline import Interface, outline
from cardwright_rules import DIALECTS, ROWS
from cardwright_rules.public_form import public_form
from cardwright_runtime.violation import escaped
from tests.cli.command_line import EXAMPLES, Run

CARDS = {path.name: json.loads(path.read_bytes()) for path in sorted(EXAMPLES.glob("*.card.json"))}
# Whatever a reader looks for, anywhere.
NAMES = sorted(
    {
        name
        for text in (path.read_text() for path in EXAMPLES.glob("*.card.json"))
        for name in json.loads(text, object_pairs_hook=lambda pairs: [name for name, _ in pairs])
    }
    | {"type", "flows", "list", "schemes", "scope", "auth", "tenant", "required", "uri", "properties"}
)
# What `decode` lets pass: no NUL, no surrogate, no integer that a double cannot hold.
TEXT = st.text(st.characters(codec="utf-8", exclude_characters="\0"))
NUMBERS = st.integers(-(2**53) + 1, 2**53 - 1) | st.floats(allow_nan=False, allow_infinity=False)
JSON = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXT,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES) | TEXT, inner, max_size=4)
    ),
    max_leaves=12,
)


def printed(card: Card) -> str:
    console = Console(width=100, markup=False, emoji=False, highlight=False, color_system=None)
    with console.capture() as captured:
        console.print(*sheet(card), sep="\n")
    return captured.get()


# Show


@pytest.mark.parametrize("name", CARDS)
def test_every_example_is_shown_with_its_name_url_skills_and_validity(name: str, run: Run) -> None:
    document = CARDS[name]

    result = run("show", EXAMPLES / name)

    assert result.exit_code == 0
    assert document.get("displayName", document["name"]) in result.stdout
    assert "https://" in result.stdout
    for skill in document.get("skills", document["capabilities"]):
        assert skill["id"] in result.stdout
    assert "✓ valid" in result.stdout


def test_an_invalid_card_is_shown_and_its_faults_counted(invalid: str, run: Run) -> None:
    result = run("show", invalid)

    assert result.exit_code == 0
    assert "✗ invalid: 1 error" in result.stdout


def test_unknown_fields_are_named(here: Path, card: dict[str, Any], run: Run) -> None:
    card |= {"shadow": 1, "[bold]": 2}
    (here / "x.json").write_text(json.dumps(card))

    assert "unknown        shadow, [bold]" in run("show", "x.json").stdout


def test_both_forms_of_a_hybrid_are_read_once() -> None:
    summary = outline(Card.from_document(CARDS["a2a-hybrid.card.json"]))

    url = "https://parcels.example.com/a2a"
    assert summary.interfaces == tuple(Interface(url, "JSONRPC", version) for version in ("1.0", "0.3"))
    assert [(scheme.name, scheme.kind) for scheme in summary.schemes] == [
        ("portal", "HTTP Bearer (JWT)"),
        ("partner", "API key in the header X-Partner-Key"),
    ]
    assert summary.requirements == ("portal", "partner")
    assert summary.unknown == ()


@pytest.mark.parametrize("name", ["a2a-0.3.card.json", "a2a-1.0.card.json"])
def test_older_and_newer_security_read_alike(name: str) -> None:
    summary = outline(Card.from_document(CARDS[name]))

    assert summary.requirements == ("portal", "service (parcels.read)")
    assert summary.schemes[1].kind == "OAuth 2: client credentials https://login.parcels.example.com/token"
    assert summary.skills[1].note == "needs portal or service (parcels.read, parcels.write)"


def test_an_unknown_dialect_is_reported_in_one_line(here: Path, run: Run) -> None:
    (here / "x.json").write_text("{}")

    result = run("show", "x.json")

    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith("cardwright: x.json: ")
    assert len(result.stderr.splitlines()) == 1
    assert run("show", "x.json", "--dialect", "beach-1.0").exit_code == 0


@pytest.mark.parametrize("path", ["missing.json", "."])
@pytest.mark.usefixtures("here")
def test_an_unreadable_document_is_reported_in_one_line(path: str, run: Run) -> None:
    result = run("show", path)

    assert (result.exit_code, result.stdout) == (2, "")
    assert len(result.stderr.splitlines()) == 1


@settings(deadline=None)
@given(document=JSON, dialect=st.sampled_from(sorted(DIALECTS)))
def test_any_json_value_is_shown_by_any_dialect(document: Any, dialect: str) -> None:
    shown = printed(Card.from_document(document, dialect=dialect))

    assert all(escaped(line) == line for line in shown.split("\n"))


@settings(deadline=None)
@given(data=st.data(), name=st.sampled_from(sorted(CARDS)))
@pytest.mark.bulk
def test_a_mutated_card_is_shown(data: st.DataObject, name: str) -> None:
    document = json.loads(json.dumps(CARDS[name]))
    for _ in range(data.draw(st.integers(1, 4))):
        node: Any = document
        step: Any = data.draw(st.sampled_from(sorted(document)))
        while isinstance(node[step], (dict, list)) and node[step] and data.draw(st.booleans()):
            node = node[step]
            step = data.draw(st.sampled_from(sorted(node) if isinstance(node, dict) else range(len(node))))
        node[step] = data.draw(JSON)

    for dialect in (None, *DIALECTS):
        try:
            card = Card.from_document(document, dialect=dialect)
        except UnknownDialect:
            continue
        assert printed(card)


# As a page


def test_a_page_is_written_to_standard_output(run: Run) -> None:
    result = run("show", "--html", EXAMPLES / "a2a-1.0.card.json")

    assert result.exit_code == 0
    assert result.stdout.startswith("<!doctype html>")
    assert "<title>Parcel Tracker · agent card</title>" in result.stdout


@pytest.mark.usefixtures("here")
def test_a_page_is_written_to_a_file(run: Run) -> None:
    for option in ("-o", "--output"):
        result = run("show", "--html", option, "card.html", EXAMPLES / "a2a-1.0.card.json")
        assert (result.exit_code, result.stdout) == (0, "")
        assert Path("card.html").read_bytes().endswith(b"</html>\n")


def test_an_invalid_card_has_a_page(invalid: str, run: Run) -> None:
    assert "1 error" in run("show", "--html", invalid).stdout


def test_an_unwritable_page_is_reported_in_one_line(valid: str, run: Run) -> None:
    result = run("show", "--html", "-o", "no/such/folder.html", valid)

    assert (result.exit_code, result.stdout) == (2, "")
    assert len(result.stderr.splitlines()) == 1


@pytest.mark.parametrize("options", [("-o", "x.html"), ("--keys", "jwks.json")])
def test_options_of_the_page_alone_are_refused(options: tuple[str, str], valid: str, run: Run) -> None:
    result = run("show", valid, *options)

    assert (result.exit_code, result.stdout) == (2, "")
    assert "needs --html" in result.stderr
    assert not Path("x.html").exists()


def test_a_page_says_which_signatures_are_valid(here: Path, valid: str, run: Run) -> None:
    run("keygen", "--alg", "ES256", "--kid", "k", "--out", "k.jwk")
    (here / "jwks.json").write_text(run("jwks", "k.jwk").stdout)
    (here / "signed.json").write_text(run("sign", "--key", "k.jwk", "--alg", "ES256", valid).stdout)

    assert "signature verified" in run("show", "--html", "--keys", "jwks.json", "signed.json").stdout
    assert "signed, not checked" in run("show", "--html", "signed.json").stdout


# Detect

NO_VERSION = '{"name": "A", "url": "https://a.example", "skills": []}'


def test_detect_prints_dialect_certainty_evidence_and_candidates(here: Path, run: Run) -> None:
    (here / "x.json").write_text('{"name": "A", "url": "https://a.example", "skills": [], "security": []}')
    result = run("detect", "--format", "json", "x.json", EXAMPLES / "beach-1.0.card.json")

    unsure, sure = json.loads(result.stdout)["results"]
    assert result.exit_code == 0
    assert unsure == {
        "source": "x.json",
        "dialect": "a2a-0.2",
        "sure": False,
        "evidence": ["no known protocolVersion, but security, which 0.2 introduced"],
        "candidates": ["a2a-0.2", "a2a-0.3"],
    }
    assert (sure["dialect"], sure["sure"], sure["candidates"]) == ("beach-1.0", True, ["beach-1.0"])


@pytest.mark.parametrize(("body", "status"), [("{}", 1), ("[]", 1), ("{", 2), ("", 2)])
def test_an_unrecognised_document_has_no_dialect_and_a_reason(
    body: str, status: int, here: Path, run: Run
) -> None:
    (here / "x.json").write_text(body)

    completed = run("detect", "--format", "json", "x.json")

    (result,) = json.loads(completed.stdout)["results"]
    assert completed.exit_code == status
    assert (result["dialect"], result["sure"], result["candidates"]) == (None, False, [])
    assert len(result["evidence"]) == 1


def test_detect_lists_other_candidates_in_text(here: Path, run: Run) -> None:
    (here / "x.json").write_text(NO_VERSION)

    (line,) = run("detect", "x.json").stdout.splitlines()

    assert "a2a-0.2, not sure: " in line
    assert "; it could also be a2a-0.1, a2a-0.3" in line


def test_detect_uses_the_path_of_the_card_as_evidence(here: Path, run: Run) -> None:
    (here / ".well-known").mkdir()
    (here / ".well-known" / "agent-card.json").write_text(NO_VERSION)

    (line,) = run("detect", ".well-known/agent-card.json").stdout.splitlines()

    assert "a2a-0.3, not sure: " in line
    assert "; found at /.well-known/agent-card.json, the path of a2a-0.3; it could also be" in line


# Schema


def test_every_dialect_is_listed(run: Run) -> None:
    lines = run("schema", "list").stdout.splitlines()
    listed = json.loads(run("schema", "list", "--format", "json").stdout)
    rows = listed["results"]

    names = ["agents", "gateway", "project", "envelope", "state-machine"]
    assert [line.split()[0] for line in lines] == [*ROWS, *names]
    assert {row["schema"]: row["$id"] for row in listed["others"]} == {
        name: json.loads(run("schema", "show", name).stdout)["$id"] for name in names
    }
    assert [row["dialect"] for row in rows] == list(ROWS)
    assert {row["dialect"]: row["$id"] for row in rows} == {row.name: row.schema_id for row in ROWS.values()}


@pytest.mark.parametrize("name", [name for name, row in ROWS.items() if row.schema_id])
def test_a_schema_is_printed_as_it_is_bundled(name: str, run: Run) -> None:
    assert json.loads(run("schema", "show", name).stdout) == public_form(ROWS[name].schema())


def test_the_schema_of_state_machine_files_is_complete(run: Run) -> None:
    schema = json.loads(run("schema", "show", "state-machine").stdout)

    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    stage = {"initial": "open", "states": ["open"], "transitions": {}}
    assert validator.is_valid({"components": {"booking": {"coordinates": {"stage": stage}}}})
    assert not validator.is_valid({"components": {"booking": {"coordinates": {"stage": {}}}}})


@pytest.mark.parametrize(
    ("name", "words"), [("a2a-hybrid", "a2a-1.0 and a2a-0.3"), ("a2a-9", "known schemas: a2a-0.1")]
)
def test_a_dialect_without_a_schema_is_reported_in_one_line(name: str, words: str, run: Run) -> None:
    result = run("schema", "show", name)

    assert (result.exit_code, result.stdout) == (2, "")
    (line,) = result.stderr.splitlines()
    assert words in line


# The whole


def test_bare_and_help_print_help(run: Run) -> None:
    for arguments in ([], ["--help"]):
        result = run(*arguments)
        assert all(command in result.stdout for command in ("check", "convert", "detect", "show", "schema"))
    for command in ("check", "convert", "detect", "show", "schema"):
        assert run(command, "--help").exit_code == 0


def test_help_groups_the_commands(run: Run) -> None:
    help_text = run("--help").stdout
    panels = ("Validate", "Create and transform", "Sign", "Publish", "Discover", "Gateway")
    places = [help_text.index(f"─ {panel} ─") for panel in panels]
    assert places == sorted(places)
    assert "─ Commands ─" not in help_text


@pytest.mark.parametrize(
    "command",
    [
        *(
            (name,)
            for name in ("check", "convert", "detect", "diff", "discover", "fix", "init", "show", "probe")
        ),
        *((name,) for name in ("serve", "keygen", "jwks", "sign", "verify", "canonicalize")),
        *(
            ("registry", name)
            for name in ("add", "approve", "list", "refresh", "remove", "search", "show", "watch")
        ),
        *(("schema", name) for name in ("list", "show")),
    ],
    ids=" ".join,
)
def test_help_ends_with_an_example(run: Run, command: tuple[str, ...]) -> None:
    help_text = run(*command, "--help").stdout
    example = help_text.rpartition("Example")[2]
    assert f"  cardwright {' '.join(command)}" in example


def test_version_is_one_line(run: Run) -> None:
    assert run("--version").stdout.startswith("cardwright ")


@pytest.mark.parametrize("heavy", ["typer", "rich", "pydantic"])
@pytest.mark.process
def test_importing_the_package_imports_nothing_heavy(heavy: str) -> None:
    assert_light("import cardwright; cardwright.Card", heavy)


@pytest.mark.parametrize("heavy", ["rich", "pydantic"])
@pytest.mark.process
def test_validating_for_a_pipe_imports_neither_rich_nor_pydantic(heavy: str) -> None:
    # Of our own accord: typer itself reads its options with pydantic.
    steps = (
        "import cardwright.cli",
        "from cardwright.cli.inputs import Source",
        "from cardwright.cli.reports.piped import piped",
        "from cardwright.cli.check_run import check_source",
        "from cardwright.cli.project import Effective",
        f"piped([check_source(Source({str(EXAMPLES / 'a2a-1.0.card.json')!r}), Effective())])",
    )
    assert_light("; ".join(steps), heavy)


def assert_light(code: str, heavy: str) -> None:
    subprocess.run(
        [sys.executable, "-c", f"{code}; import sys; assert {heavy!r} not in sys.modules"], check=True
    )
