"""The documentation site: the errors of its builder, and its output."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from codegen.shape import shape_faults
from docs.sitegen.site import SiteFailed, broken_links, build_site, llms_text
from tests.docs.page_sessions import ROOT, blocks_of

if TYPE_CHECKING:
    from pathlib import Path

SETTINGS = """\
[project]
site_name = "Tides"
docs_dir = "pages"
site_dir = "site"
[project.theme]
font = false
"""


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    """Return a folder of two pages that link to each other."""
    pages = tmp_path / "sources"
    (pages / "start").mkdir(parents=True)
    (pages / "index.md").write_text("# Tides\n\n[Start](start/one.md)\n", encoding="utf-8")
    (pages / "start" / "one.md").write_text("# First steps\n\n[Home](../index.md#tides)\n", encoding="utf-8")
    (tmp_path / "zensical.toml").write_text(SETTINGS, encoding="utf-8")
    return pages


def build(sources: Path) -> int:
    folder = sources.parent
    return build_site(sources, folder / "zensical.toml", folder / "work", folder / "site")


@pytest.mark.process
def test_a_site_is_built_with_its_list_for_language_models(sources: Path) -> None:
    assert build(sources) >= 2

    built = sources.parent / "site"
    assert "First steps" in (built / "start" / "one" / "index.html").read_text(encoding="utf-8")
    assert "- [First steps](https://cardwright.dev/start/one/)" in (built / "llms.txt").read_text()


@pytest.mark.process
def test_a_link_to_a_page_that_does_not_exist_fails_with_its_place(sources: Path) -> None:
    (sources / "index.md").write_text("# Tides\n\n[Gone](gone.md)\n", encoding="utf-8")

    with pytest.raises(SiteFailed, match=r"index\.md:3:\d+: page does not exist"):
        build(sources)


@pytest.mark.parametrize(
    ("html", "fault"),
    [
        ('<a href="gone/">x</a>', "index.html: gone/ leads nowhere"),
        ('<a href="#gone">x</a>', "index.html: #gone: index.html has no such heading"),
        ('<script src="https://cdn.example/x.js"></script>', "index.html: loads https://cdn.example/x.js"),
        ('<link rel="stylesheet" href="//cdn.example/x.css">', "index.html: loads //cdn.example/x.css"),
    ],
)
def test_a_broken_link_and_a_foreign_resource_are_named(html: str, fault: str, tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text(html, encoding="utf-8")

    (line,) = broken_links(tmp_path)
    assert line.startswith(fault)


def test_links_within_the_site_and_to_others_are_allowed(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "index.html").write_text('<h1 id="top">A</h1>', encoding="utf-8")
    page = '<a href="a/#top">x</a><a href="https://a.example">y</a><a href="/a/">z</a>'
    (tmp_path / "index.html").write_text(page, encoding="utf-8")

    assert broken_links(tmp_path) == []


def test_every_page_is_in_the_list_for_language_models() -> None:
    listed = llms_text(ROOT / "docs" / "pages")

    for page in (ROOT / "docs" / "pages").rglob("*.md"):
        path = page.relative_to(ROOT / "docs" / "pages").with_suffix("").as_posix().removesuffix("/index")
        assert path == "index" or f"/{path}/)" in listed


def test_every_hand_written_page_is_in_the_navigation() -> None:
    navigation = (ROOT / "docs" / "zensical.toml").read_text(encoding="utf-8")

    for page in (ROOT / "docs" / "pages").rglob("*.md"):
        path = page.relative_to(ROOT / "docs" / "pages").as_posix()
        assert f'"{path}"' in navigation or "/rules/" in path or "/python/" in path, path


def test_the_listed_files_of_a_new_dialect_have_the_right_form() -> None:
    page = (ROOT / "docs" / "pages" / "how-to" / "add-a-dialect.md").read_text(encoding="utf-8")
    shown = [json.loads(block.text) for block in blocks_of(page) if block.language == "json"]

    for kind, document in zip(("dialect", "rules", "explanations"), shown, strict=True):
        assert list(shape_faults(kind, document)) == []
