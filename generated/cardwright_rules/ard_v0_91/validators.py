"""ARD 0.91 manifest: its rules and its validator.

Generated from schemas/ard/0.91/dialect.json
by `make generate`. Do not edit: change the schemas and generate again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from cardwright_rules.synonyms import SYNONYMS
from cardwright_runtime.checks import unique
from cardwright_runtime.engine import DialectValidator
from cardwright_runtime.identifiers import publisher
from cardwright_runtime.spelling import Spelling, spelling
from cardwright_runtime.violation import Rule

if TYPE_CHECKING:
    from cardwright_runtime.engine import Vocabularies
    from cardwright_runtime.violation import Violation

RULES: Final[dict[str, Rule]] = {
    "ard/identifier": Rule(
        id="ard/identifier",
        severity="error",
        spec="ARD 0.91 §4.2 and Appendix C",
        message="{value} is not an identifier of ARD. Write urn:air:, the publisher's domain, a namespace and a name, such as urn:air:example.com:agents:tides. The prefix urn:ai: is urn:air: now",
    ),
    "ard/publisher": Rule(
        id="ard/publisher",
        severity="error",
        spec="ARD 0.91 §4.5.1",
        message="the trust manifest is that of {identity}, and the identifier that of {value}. Registries refuse an entry of another publisher",
    ),
    "ard/queries": Rule(
        id="ard/queries",
        severity="warning",
        spec="ARD 0.91 §4.2",
        message="without representativeQueries, the entry is not found by a search. Add two to five questions of users",
    ),
    "ard/unique-identifier": Rule(
        id="ard/unique-identifier",
        severity="warning",
        spec="ARD 0.91 §4.2",
        message="duplicate identifier {value}: {first} has the same. Identifiers name one resource",
    ),
    "catalog/loopback-url": Rule(
        id="catalog/loopback-url",
        severity="warning",
        spec="ARD 0.91 §4.2; project decision",
        message="{value} points to this machine (localhost); other hosts cannot reach it. Use the public URL",
    ),
    "catalog/media-type": Rule(
        id="catalog/media-type",
        severity="warning",
        spec="ARD 0.91 §4.2; RFC 6838 §4.2",
        message="{value} is not a media type. Write type/subtype, such as application/a2a-agent-card+json",
    ),
    "catalog/media-type-renamed": Rule(
        id="catalog/media-type-renamed",
        severity="warning",
        spec="AI Catalog, ADR 0014",
        message="mediaType is now called type: entries of an older text of AI Catalog are read, too, but newer clients read type alone",
    ),
    "catalog/media-type-spelling": Rule(
        id="catalog/media-type-spelling",
        severity="warning",
        spec="ARD 0.91 §4.2",
        message="registries do not know the media type {value}. Use application/a2a-agent-card+json, application/mcp-server-card+json, application/ai-catalog+json or application/ai-registry+json",
    ),
    "catalog/no-artifact": Rule(
        id="catalog/no-artifact",
        severity="error",
        spec="ARD 0.91 §4.3",
        message="the entry has neither url nor data. Write the URL of the resource's own description in url",
    ),
    "catalog/queries-count": Rule(
        id="catalog/queries-count",
        severity="warning",
        spec="ARD 0.91 §4.2",
        message="an entry should have two to five representative queries, and this one has {length}",
    ),
    "catalog/spelling": Rule(
        id="catalog/spelling",
        severity="warning",
        spec="ARD 0.91; project decision",
        message="unknown field {value}; did you mean {meant}?",
    ),
    "catalog/updated-at": Rule(
        id="catalog/updated-at",
        severity="warning",
        spec="ARD 0.91 §4.2",
        message="{value} is no date with time and zone. Write it by RFC 3339, such as 2026-03-15T10:00:00Z",
    ),
    "catalog/url-absolute": Rule(
        id="catalog/url-absolute",
        severity="error",
        spec="ARD 0.91 §4.2",
        message="{value} is not an absolute URL. Write scheme, host and path, such as https://example.com/agent-card.json",
    ),
    "catalog/url-and-data": Rule(
        id="catalog/url-and-data",
        severity="error",
        spec="ARD 0.91 §4.3",
        message="the entry has both url and data. Keep one of them",
    ),
    "secrets/token": Rule(
        id="secrets/token",
        severity="error",
        spec="A2A 0.1 §5.4; A2A 1.0 §13.4",
        message="this text contains what looks like a secret (an API key, token or private key). Remove it and revoke it",
    ),
    "text/bidirectional": Rule(
        id="text/bidirectional",
        severity="warning",
        spec="project decision; Unicode TR 9 §2; CVE-2021-42574",
        message="this text contains bidirectional control characters, so it is displayed in another order than it is read. Remove them",
    ),
    "text/control-characters": Rule(
        id="text/control-characters",
        severity="warning",
        spec="project decision; ECMA-48",
        message="this text contains control characters, which a terminal may execute. Remove them",
    ),
    "text/hidden-characters": Rule(
        id="text/hidden-characters",
        severity="warning",
        spec="project decision; Unicode TR 36 §2",
        message="this text contains invisible characters (zero-width, tag or variation selector): a model reads them, a person does not see them. Remove them",
    ),
    "text/instruction": Rule(
        id="text/instruction",
        severity="warning",
        spec="project decision; OWASP LLM01 2025",
        message="this text may give orders to the model that reads the card: {found}. Describe what the agent does, and do not pass the card to a model if you do not trust its author",
    ),
}

SPELLINGS: Final = {
    "catalog/spelling": Spelling.of(
        {
            (("entries",), ()): ("",),
            (
                (
                    "@context",
                    "@id",
                    "capabilities",
                    "data",
                    "description",
                    "displayName",
                    "identifier",
                    "metadata",
                    "representativeQueries",
                    "tags",
                    "trustManifest",
                    "type",
                    "updatedAt",
                    "url",
                    "version",
                ),
                (),
            ): ("/entries/[*]",),
            (("digest", "mediaType", "type", "uri"), ()): ("/entries/[*]/trustManifest/attestations/[*]",),
            (("relation", "sourceDigest", "sourceId"), ()): ("/entries/[*]/trustManifest/provenance/[*]",),
            (("attestations", "identity", "identityType", "provenance", "signature", "trustSchema"), ()): (
                "/entries/[*]/trustManifest",
            ),
            (("governanceUri", "identifier", "verificationMethods", "version"), ()): (
                "/entries/[*]/trustManifest/trustSchema",
            ),
        },
        SYNONYMS,
    ),
}


def structural(document: dict[str, Any], violations: list[Violation], vocabularies: Vocabularies) -> None:
    """Add the violations of the rules that JSON Schema cannot express."""
    if "entries" in document:
        publisher(violations, RULES["ard/publisher"], document)
    if "entries" in document:
        unique(
            violations,
            RULES["ard/unique-identifier"],
            document.get("entries"),
            "/entries",
            ("identifier", "version"),
        )
    del vocabularies


def names(document: dict[str, Any], violations: list[Violation]) -> None:
    """Add the violations of the rules about the names of fields."""
    spelling(violations, RULES["catalog/spelling"], document, SPELLINGS["catalog/spelling"])


VALIDATOR: Final = DialectValidator(
    __package__ or "", RULES, structural, names, schema="cardwright_models.ard_v0_91"
)
