"""The documentation site: built offline by Zensical, then every link checked."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote, urlsplit

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_WARNING: Final = re.compile(r"Warning: *(.+)\n\s*╭─\[ *(.+?) *\]")
_COLOUR: Final = re.compile(r"\x1b\[[0-9;]*m")
# Elements that load what they name when the page is shown, by the attribute that names it.
_LOADING: Final = {"script": "src", "img": "src", "iframe": "src", "source": "src"}
_LOADING_LINKS: Final = {"stylesheet", "preload", "modulepreload", "preconnect", "icon", "manifest"}


class SiteFailed(Exception):
    """The site has faults; each is one line that names the page."""


def build_site(sources: Path, settings: Path, work: Path, target: Path) -> int:
    """Build the site into a folder and return how many pages it has.

    Args:
        sources: The folder of the Markdown pages.
        settings: The file `zensical.toml`.
        work: A folder that is emptied, where Zensical runs: it takes sources from below its settings only.
        target: The folder of the finished site; it is replaced.

    Raises:
        SiteFailed: If Zensical warns of anything, a link leads nowhere, or a page loads something from elsewhere.
    """
    shutil.rmtree(work, ignore_errors=True)
    shutil.copytree(sources, work / "pages")
    shutil.copy(settings, work / "zensical.toml")
    command = [sys.executable, "-m", "zensical", "build", "--clean", "--strict"]
    environment = {**os.environ, "NO_COLOR": "1"}
    done = subprocess.run(command, cwd=work, env=environment, capture_output=True, text=True, check=False)  # noqa: S603 - our own arguments
    printed = _COLOUR.sub("", done.stdout + done.stderr)
    faults = [f"{place}: {text}" for text, place in _WARNING.findall(printed)]
    if done.returncode and not faults:
        faults = printed.strip().splitlines()[-1:]
    if faults:
        raise SiteFailed("\n".join(faults))
    shutil.rmtree(target, ignore_errors=True)
    shutil.move(work / "site", target)
    (target / "llms.txt").write_text(llms_text(sources), encoding="utf-8")
    if faults := broken_links(target):
        raise SiteFailed("\n".join(faults))
    return len(list(target.rglob("*.html")))


def llms_text(sources: Path) -> str:
    """Return `llms.txt`: what the project is and one line for each page, for language models (llmstxt.org)."""
    lines = [
        "# cardwright",
        "",
        "> Validate, fix, convert, sign, publish and discover A2A agent cards: every version.",
    ]
    for folder, title in (
        ("start", "Start"),
        ("how-to", "How-to guides"),
        ("reference", "Reference"),
        ("explanation", "Explanation"),
    ):
        lines += ["", f"## {title}", ""]
        for file in sorted((sources / folder).rglob("*.md")):
            path = file.relative_to(sources).with_suffix("").as_posix().removesuffix("/index")
            lines.append(f"- [{_title(file)}](https://cardwright.dev/{path}/)")
    return "\n".join(lines) + "\n"


def _title(file: Path) -> str:
    heading = re.search(r"^# (.+)$", file.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return heading[1] if heading else file.stem


class _Page(HTMLParser):
    """The anchors, links and loaded resources of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.links: list[str] = []
        self.loaded: list[str] = []

    @classmethod
    def of(cls, file: Path) -> _Page:
        page = cls()
        page.feed(file.read_text(encoding="utf-8"))
        return page

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        self.anchors |= {values[name] for name in ("id", "name") if name in values}
        if tag == "a" and "href" in values:
            self.links.append(values["href"])
        elif tag in _LOADING and _LOADING[tag] in values:
            self.loaded.append(values[_LOADING[tag]])
        elif tag == "link" and _LOADING_LINKS & set(values.get("rel", "").split()):
            self.loaded.append(values["href"])


def broken_links(site: Path) -> list[str]:
    """Return a line for each link of a site that leads nowhere, and each resource that is loaded from elsewhere."""
    pages = {file.relative_to(site).as_posix(): _Page.of(file) for file in sorted(site.rglob("*.html"))}
    return list(_broken(pages, site))


def _broken(pages: dict[str, _Page], site: Path) -> Iterator[str]:
    for path, page in pages.items():
        for loaded in page.loaded:
            if urlsplit(loaded).netloc:
                yield f"{path}: loads {loaded}, which is not part of the site"
        if path == "404.html":
            continue
        for link in (*page.links, *page.loaded):
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = _target(path, unquote(parts.path), site)
            if target is None:
                yield f"{path}: {link} leads nowhere"
            elif parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].anchors:
                yield f"{path}: {link}: {target} has no such heading"


def _target(page: str, path: str, site: Path) -> str | None:
    """Return the file of the site that a link of a page names; None if absent."""
    file = (site / page).parent / path if path else site / page
    if path.startswith("/"):
        file = site / path.lstrip("/")
    if file.is_dir():
        file /= "index.html"
    file = file.resolve()
    return file.relative_to(site.resolve()).as_posix() if file.is_file() else None
