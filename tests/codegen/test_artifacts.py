"""What `make schemas` writes: whole, self-contained, linked, summed, and the same bytes everywhere."""

import fnmatch
import gzip
import hashlib
import io
import json
import os
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import jsonschema_rs
import pytest
from jsonschema.validators import Draft202012Validator
from referencing import Registry

from codegen.__main__ import pin
from codegen.artifacts.__main__ import main, project_version
from codegen.artifacts.files import bundled_path
from codegen.public_form import public_form
from codegen.sources import ID_BASE

REPOSITORY = Path(__file__).resolve().parents[2]
SCHEMAS = REPOSITORY / "schemas"
PATHS = sorted(file.relative_to(SCHEMAS).as_posix() for file in SCHEMAS.rglob("*.schema.json"))

Json = Any
Edit = Callable[[Path, str, Callable[[Json], object]], None]


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write the folder and the archive once."""
    folder = tmp_path_factory.mktemp("dist") / "schemas"
    assert main(["--out", str(folder)], environ={}) == 0
    return folder


@pytest.fixture
def project(schemas: Path) -> Path:
    """Copy what the command reads."""
    shutil.copy(REPOSITORY / "pyproject.toml", schemas.parent)
    return schemas.parent


def contents(folder: Path) -> dict[str, bytes]:
    return {
        file.relative_to(folder).as_posix(): file.read_bytes() for file in folder.rglob("*") if file.is_file()
    }


def archive_of(folder: Path) -> Path:
    return folder.parent / f"cardwright-schemas-{project_version(REPOSITORY)}.tar.gz"


def references(node: Json) -> Iterator[str]:
    """Yield every `$ref` of a schema; examples are values and have none."""
    if isinstance(node, list):
        for item in node:
            yield from references(item)
    elif isinstance(node, dict):
        if isinstance(node.get("$ref"), str):
            yield node["$ref"]
        for name, value in node.items():
            if name != "examples":
                yield from references(value)


# The schemas


def test_there_are_schemas() -> None:
    assert len(PATHS) >= 14


@pytest.mark.parametrize("path", PATHS)
def test_a_schema_is_published_at_the_path_of_its_id_with_its_notes_as_comments(out: Path, path: str) -> None:
    document = json.loads((SCHEMAS / path).read_bytes())

    written = json.loads((out / document["$id"].removeprefix(ID_BASE)).read_bytes())

    assert written == public_form(document)
    assert f"spec: {document['x-spec']}" in written["$comment"]


@pytest.mark.parametrize("path", PATHS)
def test_a_bundled_schema_has_its_own_id_and_only_inner_references(out: Path, path: str) -> None:
    source = json.loads((SCHEMAS / path).read_bytes())
    bundled = json.loads((out / bundled_path(path)).read_bytes())

    assert bundled["$id"] == ID_BASE + bundled_path(path)
    for kept in ("$schema", "title", "description", "examples"):
        assert bundled[kept] == source[kept]
    for reference in references(bundled):
        assert reference == "#" or reference.removeprefix("#/$defs/") in bundled["$defs"]
    inner = json.dumps(bundled.get("$defs", {}))
    assert '"$id"' not in inner
    assert '"$schema": "' not in inner


@pytest.mark.parametrize("path", PATHS)
def test_both_engines_accept_the_examples_with_the_bundled_schema_alone(out: Path, path: str) -> None:
    bundled = json.loads((out / bundled_path(path)).read_bytes())
    plain = Draft202012Validator(bundled, registry=Registry())
    quick = jsonschema_rs.validator_for(bundled, offline=True, pattern_options=jsonschema_rs.RegexOptions())

    for example in json.loads((SCHEMAS / path).read_bytes())["examples"]:
        assert [error.message for error in plain.iter_errors(example)] == []
        assert [error.message for error in quick.iter_errors(example)] == []
    assert not plain.is_valid([])
    assert not quick.is_valid([])


def test_a_bundled_schema_still_applies_the_schemas_it_includes(out: Path) -> None:
    bundled = json.loads((out / "beach/1.0/agent-card.bundled.schema.json").read_bytes())
    card = bundled["examples"][0]
    card["transports"][0]["protocol"] = 7

    pointers = ["/".join(map(str, e.absolute_path)) for e in Draft202012Validator(bundled).iter_errors(card)]

    assert pointers == ["transports/0/protocol"]


# The page


class Page(HTMLParser):
    """Gathers what a page links to, loads and names."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.hrefs: list[str] = []
        self.ids: list[str] = []
        self.loads: list[tuple[str, str]] = []
        self.headings: list[int] = []
        self.attributes: dict[str, dict[str, str | None]] = {}
        self.titles: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.attributes.setdefault(tag, given)
        if tag == "a":
            self.hrefs.append(given.get("href") or "")
        if tag in ("script", "link", "img", "iframe", "object", "embed", "base", "source"):
            self.loads.append((tag, str(given)))
        if given.get("id"):
            self.ids.append(str(given["id"]))
        if tag in ("h1", "h2", "h3", "h4"):
            self.headings.append(int(tag[1]))
        if tag == "code" and given.get("title"):
            self.titles.append(str(given["title"]))
        assert not [name for name in given if name.startswith("on") or name in ("src", "srcset", "style")]


@pytest.fixture(scope="module")
def page(out: Path) -> Page:
    return Page((out / "index.html").read_text(encoding="utf-8"))


def test_every_link_of_the_page_leads_somewhere(out: Path, page: Page) -> None:
    for href in page.hrefs:
        parts = urlsplit(href)
        assert (parts.scheme, parts.netloc) == ("", "")
        assert (out / parts.path).is_file() if parts.path else parts.fragment in page.ids


def test_the_page_links_every_file_that_is_published(out: Path, page: Page) -> None:
    assert {href for href in page.hrefs if not href.startswith("#")} == set(contents(out)) - {"index.html"}


def test_the_page_says_every_hash_in_full(out: Path, page: Page) -> None:
    assert sorted(page.titles) == sorted(
        hashlib.sha256((out / path).read_bytes()).hexdigest()
        for path in contents(out)
        if path.endswith(".schema.json") and not path.endswith(".bundled.schema.json")
    )


def test_the_page_loads_nothing(out: Path, page: Page) -> None:
    text = (out / "index.html").read_text(encoding="utf-8")

    assert page.loads == []
    assert "url(" not in text
    assert "@import" not in text


def test_the_page_is_accessible(page: Page) -> None:
    assert page.attributes["html"]["lang"] == "en"
    assert page.headings[0] == 1
    assert page.headings.count(1) == 1
    assert all(after - before <= 1 for before, after in zip(page.headings, page.headings[1:], strict=False))
    assert len(page.ids) == len(set(page.ids))
    assert {"main", "nav", "header", "footer"} <= set(page.attributes)


def test_the_page_names_every_dialect_and_shows_the_schema_line(out: Path) -> None:
    text = (out / "index.html").read_text(encoding="utf-8")

    for manifest in SCHEMAS.glob("*/*/dialect.json"):
        assert json.loads(manifest.read_bytes())["title"] in text
    assert f'"$schema": "{ID_BASE}a2a/1.0/agent-card.bundled.schema.json"' in text


def test_text_of_the_data_is_never_markup(project: Path, edit: Edit, tmp_path: Path) -> None:
    def hostile(document: Json) -> None:
        document["description"] = "<script>alert(1)</script> `<b>` & more"

    edit(project / "schemas", "beach/1.0/auth.schema.json", hostile)
    pin(project / "schemas")

    assert main(["--root", str(project), "--out", str(tmp_path / "out")], environ={}) == 0

    text = (tmp_path / "out" / "index.html").read_text(encoding="utf-8")
    assert "&lt;script&gt;alert(1)&lt;/script&gt; <code>&lt;b&gt;</code> &amp; more" in text
    assert Page(text).loads == []


# The catalogue


def test_the_catalogue_has_the_fields_of_schemastore(out: Path) -> None:
    catalogue = json.loads((out / "catalog.json").read_bytes())

    assert list(catalogue) == ["$schema", "version", "schemas"]
    assert catalogue["$schema"] == "https://json.schemastore.org/schema-catalog.json"
    assert catalogue["version"] == 1
    for entry in catalogue["schemas"]:
        assert (
            {"name", "description", "url"}
            <= set(entry)
            <= {"name", "description", "fileMatch", "url", "versions"}
        )


def test_every_address_of_the_catalogue_is_a_published_schema(out: Path) -> None:
    for entry in json.loads((out / "catalog.json").read_bytes())["schemas"]:
        for url in (entry["url"], *entry.get("versions", {}).values()):
            assert url.startswith(ID_BASE)
            assert json.loads((out / url.removeprefix(ID_BASE)).read_bytes())["$id"] == url


def test_no_two_entries_of_the_catalogue_claim_one_file(out: Path) -> None:
    entries = json.loads((out / "catalog.json").read_bytes())["schemas"]
    patterns = [pattern for entry in entries for pattern in entry["fileMatch"]]

    assert len(patterns) == len(set(patterns))


def test_a_well_known_file_name_maps_to_a2a_1_0_and_lists_all_versions(out: Path) -> None:
    entries = json.loads((out / "catalog.json").read_bytes())["schemas"]
    (entry,) = [entry for entry in entries if "agent-card.json" in entry["fileMatch"]]

    assert "/a2a/1.0/" in entry["url"]
    assert list(entry["versions"]) == ["1.0", "0.3", "0.2", "0.1"]
    assert all(f"/a2a/{version}/" in url for version, url in entry["versions"].items())


def claimed(name: str, patterns: list[str]) -> bool:
    """Return whether the last pattern that matches is not an exclusion, as VS Code decides it."""
    matching = [pattern for pattern in patterns if fnmatch.fnmatch(name, pattern.removeprefix("!"))]
    return bool(matching) and not matching[-1].startswith("!")


@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("agent-card.json", "/a2a/1.0/"),
        ("weather.card.json", "/a2a/1.0/"),
        ("weather.a2a-0.3.card.json", "/a2a/0.3/"),
        ("beach-1.0.card.json", "/beach/1.0/"),
        ("agent.json", "/a2a/0.2/"),
    ],
)
def test_one_entry_claims_each_usual_name(out: Path, name: str, place: str) -> None:
    entries = json.loads((out / "catalog.json").read_bytes())["schemas"]

    (url,) = [entry["url"] for entry in entries if claimed(name, entry["fileMatch"])]

    assert place in url


def test_the_examples_of_the_project_are_claimed_by_the_schema_that_takes_them(out: Path) -> None:
    entries = json.loads((out / "catalog.json").read_bytes())["schemas"]
    validated = 0
    for file in sorted((REPOSITORY / "examples").glob("*.card.json")):
        if file.name == "superx.card.json":
            # Not named after its dialect, 0.3, so the general pattern takes it for the newest version.
            continue
        claims = [e["url"] for e in entries if claimed(file.name, e["fileMatch"])]
        for url in claims:
            bundled = json.loads((out / url.removeprefix(ID_BASE)).read_bytes())
            Draft202012Validator(bundled, registry=Registry()).validate(json.loads(file.read_bytes()))
        assert len(claims) <= 1
        validated += len(claims)
    assert validated >= 6


# The sums and the archive


def test_the_sums_check_and_leave_nothing_out(out: Path) -> None:
    lines = (out / "SHA256SUMS").read_text(encoding="utf-8").splitlines()

    subprocess.run(["sha256sum", "--check", "--strict", "--quiet", "SHA256SUMS"], cwd=out, check=True)
    assert [line.split("  ")[1] for line in lines] == sorted(set(contents(out)) - {"SHA256SUMS"})


def test_the_archive_has_the_folder_and_no_other_metadata(out: Path) -> None:
    packed = archive_of(out).read_bytes()
    name = archive_of(out).name.removesuffix(".tar.gz")

    with tarfile.open(fileobj=io.BytesIO(packed)) as tar:
        entries = tar.getmembers()
        held = {entry.name: tar.extractfile(entry) for entry in entries}
        read = {path.removeprefix(f"{name}/"): file.read() for path, file in held.items() if file}

    assert read == contents(out)
    assert [entry.name for entry in entries] == sorted(f"{name}/{path}" for path in read)
    owners = {(m.uid, m.gid, m.uname, m.gname, m.mode, int(m.mtime)) for m in entries}
    assert owners == {(0, 0, "", "", 0o644, 0)}
    # RFC 1952 §2.3: flags, time and operating system say nothing.
    assert (packed[3], packed[4:8], packed[9]) == (0, bytes(4), 255)
    assert gzip.decompress(packed)


def test_two_builds_in_two_places_are_the_same_bytes(tmp_path: Path) -> None:
    built = []
    for number, umask in enumerate((0o022, 0o077)):
        root = tmp_path / f"place-{number}"
        shutil.copytree(SCHEMAS, root / "schemas")
        shutil.copy(REPOSITORY / "pyproject.toml", root)
        changed = 1_000_000_000 + number * 86_400
        for file in root.rglob("*"):
            os.utime(file, (changed, changed))
        command = [sys.executable, "-m", "codegen.artifacts", "--root", str(root)]
        environment = {
            "PYTHONHASHSEED": str(number),
            "TZ": ("UTC", "Asia/Tokyo")[number],
            "PATH": os.environ["PATH"],
        }
        subprocess.run(command, cwd=REPOSITORY, env=environment, umask=umask, check=True, capture_output=True)
        built.append(contents(root / "dist"))

    assert built[0] == built[1]
    assert any(path.endswith(".tar.gz") for path in built[0])


def test_source_date_epoch_dates_the_files_of_the_archive(tmp_path: Path) -> None:
    folder = tmp_path / "schemas"

    assert main(["--out", str(folder)], environ={"SOURCE_DATE_EPOCH": "1767225600"}) == 0

    with tarfile.open(archive_of(folder)) as tar:
        assert {entry.mtime for entry in tar.getmembers()} == {1_767_225_600}


@pytest.mark.parametrize("value", ["", "yesterday", "-1", "1.5", "9" * 12])
def test_a_source_date_that_is_no_time_is_refused(
    tmp_path: Path, value: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--out", str(tmp_path / "schemas")], environ={"SOURCE_DATE_EPOCH": value}) == 2

    assert "SOURCE_DATE_EPOCH" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


# What it refuses


def test_a_broken_tree_is_refused_with_every_problem_and_nothing_is_written(
    project: Path, edit: Edit, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    edit(
        project / "schemas",
        "a2a/1.0/agent-card.schema.json",
        lambda d: d["properties"]["name"].pop("description"),
    )
    edit(
        project / "schemas", "beach/1.0/auth.schema.json", lambda d: d.update({"$id": "https://example.com/"})
    )

    assert main(["--root", str(project), "--out", str(tmp_path / "out")], environ={}) == 1

    stderr = capsys.readouterr().err
    assert "a2a/1.0/agent-card.schema.json#/properties/name: the property has no description" in stderr
    assert "beach/1.0/auth.schema.json#/$id: must be" in stderr
    assert stderr.count("the hash does not match the file") == 2
    assert not (tmp_path / "out").exists()


def test_two_definitions_of_one_name_cannot_be_bundled(
    project: Path, edit: Edit, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def clash(document: Json) -> None:
        document["$defs"]["Auth"] = {"description": "Another.", "type": "object"}
        document["properties"]["other"] = {"$ref": "#/$defs/Auth", "description": "Other.", "x-spec": "ours"}

    edit(project / "schemas", "beach/1.0/agent-card.schema.json", clash)
    pin(project / "schemas")

    assert main(["--root", str(project), "--out", str(tmp_path / "out")], environ={}) == 1

    assert "are both named Auth" in capsys.readouterr().err


def test_files_of_an_earlier_build_are_removed_and_a_second_build_is_equal(tmp_path: Path) -> None:
    folder = tmp_path / "schemas"
    assert main(["--out", str(folder)], environ={}) == 0
    first = contents(tmp_path)
    (folder / "a2a" / "9.9").mkdir()
    (folder / "a2a" / "9.9" / "old.schema.json").write_text("{}")
    (folder / "stale.txt").write_text("old")
    shutil.rmtree(folder / "beach")
    (folder / "beach").write_text("a file where a folder belongs")

    assert main(["--out", str(folder)], environ={}) == 0

    assert contents(tmp_path) == first
    assert not (folder / "a2a" / "9.9").exists()


def test_an_empty_folder_is_filled(tmp_path: Path) -> None:
    (tmp_path / "schemas").mkdir()

    assert main(["--out", str(tmp_path / "schemas")], environ={}) == 0


@pytest.mark.parametrize(
    "files",
    [{"thesis.txt": "years of work"}, {"SHA256SUMS": "0" * 64 + "  debian.iso\n", "debian.iso": "an image"}],
    ids=["anything", "sums-of-something-else"],
)
def test_a_foreign_folder_is_left_alone(
    tmp_path: Path, files: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "home"
    folder.mkdir()
    for name, text in files.items():
        (folder / name).write_text(text)

    assert main(["--out", str(folder)], environ={}) == 2

    assert "did not write" in capsys.readouterr().err
    assert {name: body.decode() for name, body in contents(tmp_path).items()} == {
        f"home/{name}": text for name, text in files.items()
    }


def test_a_file_is_no_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "out").write_text("mine")

    assert main(["--out", str(tmp_path / "out")], environ={}) == 2

    assert "did not write" in capsys.readouterr().err
    assert (tmp_path / "out").read_text() == "mine"


def test_a_project_without_a_version_is_refused(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "pyproject.toml").write_text("[project]\n")

    assert main(["--root", str(project)], environ={}) == 2

    assert "project.version" in capsys.readouterr().err
    assert not (project / "dist").exists()
