"""A browser for tests, and a server on this machine for what it looks at."""

from __future__ import annotations

import asyncio
import os
import shutil
import threading
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any, Final

import pytest
import uvicorn

from cardwright.page import CONTENT_SECURITY_POLICY

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from playwright.sync_api import Browser, Dialog, Page

# What a browser needs that root runs in a container, and what keeps it from asking the network of its own accord.
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


# What axe checks.
AXE: Final = {
    "runOnly": {
        "type": "tag",
        "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    },
    "resultTypes": ["violations"],
}


def found_chromium() -> str | None:
    """Return the browser that CHROMIUM names, or else the one of this machine."""
    named = os.environ.get("CHROMIUM")
    return shutil.which(named) if named else shutil.which("chromium") or shutil.which("/usr/bin/chromium")


# Of a module, no wider: while it runs, no other test of the process can have an event loop of its own.
@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """Start a browser, or skip the test that needs one."""
    executable = found_chromium()
    if executable is None:
        pytest.skip("no Chromium on this machine: install Debian's chromium, or name one in CHROMIUM")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=list(FLAGS))
        yield browser
        browser.close()


@dataclass
class Site:
    """Pages by their paths, served with the policy; and the path of every request."""

    url: str
    pages: dict[str, bytes] = field(default_factory=dict)
    requests: list[str] = field(default_factory=list)
    policies: dict[str, str] = field(default_factory=dict)

    def put(self, body: bytes, path: str = "/page", *, policy: str = CONTENT_SECURITY_POLICY) -> str:
        """Serve a page, and return its URL."""
        self.pages[path] = body
        self.policies[path] = policy
        return f"{self.url}{path}"


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    """Serve pages on this machine while a module's tests run."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            shown.requests.append(self.path)
            path = self.path.partition("?")[0]
            body = shown.pages.get(path)
            self.send_response(200 if body is not None else 404)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Security-Policy", shown.policies.get(path, CONTENT_SECURITY_POLICY))
            self.send_header("Content-Length", str(len(body or b"")))
            self.end_headers()
            self.wfile.write(body or b"")

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name of the one it replaces
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        shown = Site(f"http://127.0.0.1:{server.server_port}")
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield shown
        finally:
            server.shutdown()
            thread.join()


@contextmanager
def served(application: Any, port: int) -> Generator[str]:
    """Serve an ASGI application on this machine, in a thread of its own, and yield its URL."""
    begun = threading.Event()

    class Server(uvicorn.Server):
        async def startup(self, sockets: Any = None) -> None:
            await super().startup(sockets)
            begun.set()

    server = Server(uvicorn.Config(application, port=port, log_level="error"))
    thread = threading.Thread(target=lambda: asyncio.run(server.serve()))
    thread.start()
    try:
        assert begun.wait(60)
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        thread.join()


def opened(browser: Browser, url: str, **context: Any) -> tuple[Page, Watched]:
    """Open a page in place of those before it, and return it with what is watched from now on."""
    for earlier in browser.contexts:
        earlier.close()
    page = browser.new_context(**context).new_page()
    seen = Watched.of(page)
    page.goto(url)
    return page, seen


def found_by_axe(page: Page) -> Any:
    """Return what axe finds in a page."""
    from axe_playwright_python.sync_playwright import Axe

    return Axe().run(page, options=AXE)


def assert_accessible(page: Page, *where: object) -> None:
    """Assert that axe finds nothing in a page."""
    found = found_by_axe(page)
    assert found.violations_count == 0, (*where, found.generate_report())


def assert_accessible_at_any_width(page: Page) -> None:
    """Open all sections; assert that axe finds nothing, narrow or wide, light or dark, and that nothing is too wide."""
    page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true })")
    for width in (360, 1600):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") == width
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            assert_accessible(page, scheme, width)


@dataclass
class Watched:
    """What a browser's page did besides showing itself."""

    requests: list[str] = field(default_factory=list)
    troubles: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, page: Page) -> Watched:
        """Watch a page from now on: requests, dialogs, errors, and every message on its console."""
        seen = cls()
        page.on("request", lambda request: seen.requests.append(request.url))
        page.on("console", lambda message: seen.troubles.append(f"console: {message.text}"))
        page.on("pageerror", lambda error: seen.troubles.append(f"error: {error}"))
        page.on("popup", lambda popup: seen.troubles.append(f"popup: {popup.url}"))

        def dismiss(dialog: Dialog) -> None:
            seen.troubles.append(f"dialog: {dialog.message}")
            dialog.dismiss()

        page.on("dialog", dismiss)
        return seen
