"""The browser, for the tests of this folder."""

from tests.browser import chromium, site

__all__ = ["chromium", "site"]
