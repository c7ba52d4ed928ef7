"""Inputs of commands: files, folders, patterns and standard input; no hostile one ends in a traceback."""

import os
import socket
import subprocess
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest

from cardwright.canonical import DEFAULT_LIMITS
from cardwright.cli.check_run import Row, check_source
from cardwright.cli.inputs import Source, read, sources
from cardwright.cli.project import Effective
from cardwright.errors import MalformedDocument
from tests.cli.command_line import EXAMPLES, Checked, Run, process


def names(*paths: str) -> list[str]:
    return [source.name for source in sources(paths)]


def row_of(source: Source) -> Row:
    row = check_source(source, Effective())
    assert row is not None
    return row


# Which documents


def test_a_folder_means_every_json_below_it_sorted(here: Path) -> None:
    for name in ("b.json", "a/z.json", "a/deeper/c.json", "a/notes.txt", "c.JSON"):
        (here / name).parent.mkdir(parents=True, exist_ok=True)
        (here / name).touch()

    assert names(".") == ["a/deeper/c.json", "a/z.json", "b.json"]
    assert names("a/") == ["a/deeper/c.json", "a/z.json"]


def test_a_pattern_is_expanded_here(here: Path) -> None:
    for name in ("a.json", "b.json", "below/c.json"):
        (here / name).parent.mkdir(exist_ok=True)
        (here / name).touch()

    assert names("*.json") == ["a.json", "b.json"]
    assert names("**/*.json") == ["a.json", "b.json", "below/c.json"]
    assert names("bel*") == ["below/c.json"]


def test_a_file_whose_name_looks_like_a_pattern_is_that_file(here: Path) -> None:
    (here / "[a].json").touch()
    (here / "a.json").touch()

    assert names("[a].json") == ["[a].json"]


@pytest.mark.parametrize("path", ["empty", "*.nothing", "[", "**/x"])
def test_an_input_without_a_match_is_an_unreadable_row(path: str, here: Path, checked: Checked) -> None:
    (here / "empty").mkdir()

    report = checked(path)

    (row,) = report["results"]
    assert row["source"] == path
    assert [violation["rule"] for violation in row["violations"]] == ["decode/no-documents"]
    assert report["summary"]["unreadable"] == 1


def test_a_dash_is_standard_input(checked: Checked) -> None:
    (row,) = checked("-", stdin=(EXAMPLES / "a2a-0.3.card.json").read_bytes())["results"]

    assert (row["source"], row["dialect"], row["valid"]) == ("-", "a2a-0.3", True)


def test_empty_standard_input_is_unreadable(checked: Checked) -> None:
    (row,) = checked("-", stdin=b"")["results"]

    assert [violation["rule"] for violation in row["violations"]] == ["decode/empty"]


def test_standard_input_is_held_to_the_limit(checked: Checked) -> None:
    (row,) = checked("-", stdin=b"[" + b" " * 300_000 + b"]")["results"]

    assert [violation["rule"] for violation in row["violations"]] == ["decode/too-large"]


def test_closed_standard_input_is_unreadable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", None)

    (fault,) = row_of(Source("-")).violations

    assert fault.rule == "decode/unreadable"


# Hostile bytes


@pytest.mark.parametrize(
    ("body", "rule"),
    [
        (b"", "decode/empty"), (b" \n", "decode/empty"), (b"{", "decode/not-json"), (b"{} {}", "decode/not-json"),
        (b"\xef\xbb\xbf{}", "decode/byte-order-mark"), ('{"a": 1}'.encode("utf-16"), "decode/encoding"),
        ('{"a": 1}'.encode("utf-16-le"), "decode/encoding"), (b'{"a": "\xff"}', "decode/encoding"),
        (b'{"a": NaN}', "decode/number"), (b'{"a": 1e999}', "decode/number"),
        (b'{"a": 9007199254740993}', "decode/integer-range"), (b'{"a": "\\u0000"}', "decode/nul"),
        (b'{"a": "\\ud800"}', "decode/lone-surrogate"),
        (b'{"name": "good", "name": "evil"}', "decode/duplicate-member"), (b"[" * 65 + b"]" * 65, "decode/too-deep"),
        (b"\x00" * 100, "decode/encoding"), (bytes(range(256)), "decode/encoding"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)  # fmt: skip
@pytest.mark.parametrize("report", ["text", "json", "sarif", "junit"])
def test_hostile_bytes_end_as_one_row(body: bytes, rule: str, report: str, here: Path, run: Run) -> None:
    (here / "x.json").write_bytes(body)

    result = run("check", "--format", report, "x.json")

    assert result.exit_code == 2
    assert rule in result.stdout
    assert "Traceback" not in result.stdout + result.stderr


@pytest.mark.parametrize("body", [b"[" * 100_000, b"[" * 100_000 + b"]" * 100_000, b'{"a":' * 30_000])
@pytest.mark.parametrize("command", ["check", "detect", "show"])
def test_a_hundred_thousand_levels_are_refused(body: bytes, command: str, here: Path, run: Run) -> None:
    (here / "x.json").write_bytes(body)

    result = run(command, "x.json")

    assert result.exit_code == 2
    assert "Traceback" not in result.stdout + result.stderr


def test_at_most_one_byte_past_the_limit_is_held(here: Path) -> None:
    with (here / "x.json").open("wb") as file:
        file.truncate(50 * 2**20)

    tracemalloc.start()
    try:
        with pytest.raises(MalformedDocument) as refusal:
            read(Source("x.json"), DEFAULT_LIMITS)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert refusal.value.rule == "decode/too-large"
    assert peak < 2 * DEFAULT_LIMITS.max_bytes


# Hostile files


def test_a_missing_file_is_a_row(here: Path, checked: Checked) -> None:
    (here / "file").touch()

    rows = checked("nowhere.json", "file/below.json")["results"]

    assert [row["violations"][0]["rule"] for row in rows] == ["decode/missing"] * 2


def test_a_file_that_vanishes_after_listing_is_a_row(here: Path) -> None:
    (here / "x.json").touch()
    (source,) = sources(["."])
    (here / "x.json").unlink()

    (fault,) = row_of(source).violations

    assert fault.rule == "decode/missing"


def test_a_dangling_link_in_a_folder_is_a_row(here: Path, checked: Checked) -> None:
    (here / "x.json").symlink_to("nowhere")

    (row,) = checked(".")["results"]

    assert row["violations"][0]["rule"] == "decode/missing"


def make_pipe() -> None:
    os.mkfifo("x.json")


def make_socket() -> None:
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("x.json")


def make_loop() -> None:
    Path("x.json").symlink_to("x.json")


def make_folder() -> None:
    Path("real").mkdir()
    Path("x.json").symlink_to("real")


@pytest.mark.parametrize("make", [make_pipe, make_socket, make_loop, make_folder])
def test_a_device_or_pipe_is_a_row_and_is_never_opened(
    make: Callable[[], None], here: Path, checked: Checked
) -> None:
    make()

    (row,) = checked(str(here))["results"]

    assert row["source"] == f"{here}/x.json"
    assert [violation["rule"] for violation in row["violations"]] == ["decode/unreadable"]


def test_an_impossible_file_name_is_a_row(checked: Checked) -> None:
    rows = checked("x" * 5_000, "a\0b")["results"]

    assert [row["violations"][0]["rule"] for row in rows] == ["decode/unreadable"] * 2


def test_a_file_that_may_not_be_read_is_a_row(valid: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("cardwright.regular_file.open", refuse, raising=False)

    (fault,) = row_of(Source(valid)).violations

    assert (fault.rule, fault.message) == ("decode/unreadable", "cannot be read: permission denied")


def test_a_folder_that_may_not_be_listed_is_a_row_among_the_others(
    valid: str, here: Path, monkeypatch: pytest.MonkeyPatch, checked: Checked
) -> None:
    (here / "closed").mkdir()
    listing = os.scandir

    def scandir(path: str) -> object:
        if path.endswith("closed"):
            raise PermissionError(13, "Permission denied")
        return listing(path)

    monkeypatch.setattr("os.scandir", scandir)

    rows = checked(".")["results"]

    assert [(row["source"], row["valid"]) for row in rows] == [("closed", False), (valid, True)]
    assert rows[0]["violations"][0]["rule"] == "decode/unreadable"


@pytest.mark.process
def test_folders_may_nest_deeper_than_the_stack(here: Path, checked: Checked) -> None:
    for _ in range(1_500):
        Path("d").mkdir()
        os.chdir("d")
    Path("x.card.json").write_text("{}")
    os.chdir(here)

    try:
        (row,) = checked(".")["results"]
        (matched,) = checked("**/*.json")["results"]
    finally:
        # shutil.rmtree, which pytest uses, would not come to the end of it.
        subprocess.run(["rm", "-rf", "d"], check=True)

    assert row["violations"][0]["rule"] == "dialect/unknown"
    assert matched["violations"][0]["rule"] in ("decode/unreadable", "dialect/unknown")


def test_a_file_name_that_is_not_utf_8_is_escaped(here: Path, run: Run, checked: Checked) -> None:
    (here / os.fsdecode(b"caf\xe9.card.json")).write_text("{}")

    assert checked(".")["results"][0]["source"] == "caf\\xe9.card.json"
    assert "caf%E9.card.json" in run("check", "--format", "sarif", ".").stdout
    assert run("check", ".").exit_code == 1


# Hostile surroundings


@pytest.mark.process
def test_a_named_pipe_does_not_block(here: Path) -> None:
    os.mkfifo(here / "x.json")

    with process("check", here / "x.json") as run:
        _, error = run.communicate(timeout=30)

    assert (run.returncode, error) == (2, b"")


@pytest.mark.parametrize(
    "arguments",
    [("check", EXAMPLES), ("show", EXAMPLES / "a2a-1.0.card.json"), ("schema", "show", "a2a-1.0")],
)
@pytest.mark.process
def test_a_closed_pipe_is_no_error(arguments: tuple[object, ...]) -> None:
    reading, writing = os.pipe()
    os.close(reading)

    with process(*arguments, stdout=writing) as run:
        os.close(writing)
        _, error = run.communicate(timeout=30)

    assert (run.returncode, error) == (0, b"")


@pytest.mark.parametrize(
    "arguments", [("check", EXAMPLES), ("show", EXAMPLES / "a2a-1.0.card.json"), ("--help",)]
)
@pytest.mark.process
def test_a_full_disk_is_reported_in_one_line(arguments: tuple[object, ...]) -> None:
    with Path("/dev/full").open("wb") as full, process(*arguments, stdout=full) as run:
        _, error = run.communicate(timeout=30)

    assert (run.returncode, error) == (2, b"cardwright: cannot write: No space left on device\n")
