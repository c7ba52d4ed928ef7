"""Synonyms of fields.

Generated from schemas/synonyms.json
by `make generate`. Do not edit: change the schemas and generate again.
"""

from __future__ import annotations

from typing import Final

# The name of a field that it means, and whether a rename keeps the meaning.
SYNONYMS: Final[dict[str, tuple[tuple[str, bool], ...]]] = {
    "name": (("organization", True), ("displayName", False)),
    "transport": (("protocolBinding", True),),
    "endpoint": (("url", False),),
    "serviceEndpoint": (("url", False),),
    "serviceUrl": (("url", False),),
    "serverUrl": (("url", False),),
    "agent_url": (("url", False),),
    "displayName": (("name", False),),
    "display_name": (("name", False),),
    "title": (("name", False), ("displayName", False)),
    "docUrl": (("documentationUrl", False),),
    "documentation": (("documentationUrl", False),),
    "docs": (("documentationUrl", False),),
    "icon": (("iconUrl", False),),
    "logo": (("iconUrl", False), ("logoUrl", False)),
    "homepage": (("websiteUrl", False),),
    "keywords": (("tags", False),),
    "stateHistory": (("stateTransitionHistory", False),),
    "inputModes": (("defaultInputModes", False),),
    "outputModes": (("defaultOutputModes", False),),
    "urn": (("identifier", False),),
    "@id": (("identifier", False),),
    "id": (("identifier", False),),
    "summary": (("description", False),),
}
