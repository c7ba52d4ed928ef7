"""The search API of an ARD registry (ARD 0.91 §5.3): search, explore and list entries of agents."""

from __future__ import annotations

from cardwright.search_api.api import SearchApi
from cardwright.search_api.entry_index import EntryIndex, MemoryIndex
from cardwright.search_api.filters import SearchError
from cardwright.search_api.store_index import StoreIndex

__all__ = ["EntryIndex", "MemoryIndex", "SearchApi", "SearchError", "StoreIndex"]
