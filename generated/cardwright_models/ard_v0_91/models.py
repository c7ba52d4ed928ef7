"""ARD 0.91 manifest: typed models.

Generated from schemas/ard/0.91/catalog.schema.json (sha256 26f53f990a102be1c577886de5b94e9d3c761a088b27d0396e4af5182611e706)
by `make generate`. Do not edit: change the schemas and generate again.
"""

from __future__ import annotations

from typing import Any

from pydantic import ConfigDict

from cardwright_models.base import WireModel


class Attestation(WireModel):
    """
    A claim about a resource, with the document that proves it.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    type: str
    """
    Kind of the claim, such as `SOC2-Type2`.
    """
    uri: str
    """
    Location of the document that proves the claim.
    """
    media_type: str | None = None
    """
    Media type of that document.
    """
    digest: str | None = None
    """
    Digest of that document: the algorithm, a colon and hexadecimal digits.
    """


class ProvenanceLink(WireModel):
    """
    A source that a resource was made from.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    relation: str
    """
    How the resource relates to the source, such as `publishedFrom`.
    """
    source_id: str
    """
    Identifier of the source, such as the URL of a repository.
    """
    source_digest: str | None = None
    """
    Digest of the source.
    """


class TrustSchema(WireModel):
    """
    A trust framework.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    identifier: str | None = None
    """
    Identifier of the framework, such as a URN.
    """
    version: str | None = None
    """
    Version of the framework.
    """
    governance_uri: str | None = None
    """
    URL of the policy of the framework.
    """
    verification_methods: list[str] | None = None
    """
    Methods of verification, such as `did` or `x509`.
    """


class TrustManifest(WireModel):
    """
    Who vouches for a resource: its identity, and claims about it that a registry can verify.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    identity: str
    """
    Identifier of the party that vouches, such as a DID, a SPIFFE ID or an HTTPS URL. Its domain is that of the publisher in the entry's identifier.
    """
    identity_type: str | None = None
    """
    Kind of the identity: `did`, `spiffe`, `https` or another name.
    """
    trust_schema: TrustSchema | None = None
    """
    Trust framework that says how the manifest is signed and verified.
    """
    attestations: list[Attestation] | None = None
    """
    Claims about the resource, such as the report of an audit.
    """
    provenance: list[ProvenanceLink] | None = None
    """
    Where the resource comes from, one link for each source.
    """
    signature: str | None = None
    """
    Detached signature of the manifest, by the procedure of the trust framework.
    """


class ArdEntry(WireModel):
    """
    One resource of the catalogue: what it is, and where its own description is.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    field_context: str | dict[str, Any] | list[Any] | None = None
    """
    JSON-LD context of the entry: namespaces of additional terms. Without it, the base context of ARD holds.
    """
    field_id: str | None = None
    """
    Identifier of the JSON-LD node; it denotes the same resource as `identifier`.
    """
    identifier: str
    """
    Name of the resource in the whole world: `urn:air:`, the publisher's domain, a namespace and a name, such as `urn:air:example.com:agents:tides`.
    """
    display_name: str
    """
    Name of the resource for people.
    """
    type: str
    """
    Media type of the resource's own description, such as `application/a2a-agent-card+json`.
    """
    url: str | None = None
    """
    Absolute URL of the resource's own description. An entry has either this or `data`.
    """
    data: dict[str, Any] | None = None
    """
    The resource's own description itself. An entry has either this or `url`.
    """
    representative_queries: list[str] | None = None
    """
    Two to five questions, in the words of users, that the resource can answer; a registry searches them.
    """
    capabilities: list[str] | None = None
    """
    Names of skills or tools, for filters.
    """
    description: str | None = None
    """
    What the resource does, in one or two sentences.
    """
    tags: list[str] | None = None
    """
    Keywords, for filters.
    """
    version: str | None = None
    """
    Version of the resource.
    """
    updated_at: str | None = None
    """
    Time of the last change (RFC 3339).
    """
    metadata: dict[str, str | float | bool | None] | None = None
    """
    Additional values by name. A value is a string, a number, a Boolean or null.
    """
    trust_manifest: TrustManifest | None = None
    """
    Who vouches for the resource.
    """


class ArdManifest(WireModel):
    """
    Manifest of Agentic Resource Discovery: the agents, servers and catalogues that a publisher offers, served at /.well-known/ard.json. Other fields of the root are allowed and have no meaning in ARD.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    entries: list[ArdEntry]
    """
    The resources, one entry for each.
    """
