"""AI Catalog 1.0: typed models.

Generated from schemas/ai-catalog/1/catalog.schema.json (sha256 a9658c5eea5d84e5a9ca0c3c709cccc629b26c89e050ad69876d42bb77f52162)
by `make generate`. Do not edit: change the schemas and generate again.
"""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import ConfigDict, Field

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
    media_type: str
    """
    Media type of that document.
    """
    digest: str | None = None
    """
    Digest of that document: the algorithm, a colon and hexadecimal digits.
    """
    size: int | None = None
    """
    Size of that document in bytes.
    """
    description: str | None = None
    """
    What the claim says, for people.
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
    registry_uri: str | None = None
    """
    URI of the registry that has the source.
    """
    statement_uri: str | None = None
    """
    URI of a provenance statement.
    """
    signature_ref: str | None = None
    """
    The key that signed the provenance statement.
    """


class Publisher(WireModel):
    """
    The organization that publishes an artifact.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    identifier: str
    """
    Identifier of the organization that can be verified.
    """
    display_name: str
    """
    Name of the organization for people.
    """
    identity_type: str | None = None
    """
    Kind of the identifier, such as `did` or `dns`.
    """


class TrustSchema(WireModel):
    """
    A trust framework.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    identifier: str
    """
    Identifier of the framework, such as a URN.
    """
    version: str
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
    Identifier of the party that vouches, such as a DID, a SPIFFE ID or an HTTPS URL. In an entry it equals the identifier of the entry.
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
    privacy_policy_url: str | None = None
    """
    URL of the privacy policy.
    """
    terms_of_service_url: str | None = None
    """
    URL of the terms of service.
    """
    metadata: dict[str, Any] | None = None
    """
    Additional values by name, each any JSON value.
    """
    signature: str | None = None
    """
    Detached signature of the manifest, by the procedure of the trust framework.
    """


class CatalogEntry(WireModel):
    """
    One artifact of the catalogue: what it is, and where its own description is.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    identifier: str
    """
    Name of the artifact, stable across versions: a URN or a URL. The newer form is `urn:air:`, the publisher's domain, a namespace and a name.
    """
    display_name: str
    """
    Name of the artifact for people.
    """
    type: str | None = None
    """
    Media type of the artifact's own description, such as `application/a2a-agent-card+json`. Older catalogues call this field `mediaType`.
    """
    url: str | None = None
    """
    Absolute URL of the artifact's own description. An entry has either this or `data`.
    """
    data: Annotated[Any | None, Field(json_schema_extra={"x-nullable": True})] = None
    """
    The artifact's own description itself, any JSON value. An entry has either this or `url`.
    """
    description: str | None = None
    """
    What the artifact does, in one or two sentences.
    """
    tags: list[str] | None = None
    """
    Keywords, for filters.
    """
    version: str | None = None
    """
    Version of the artifact. Several versions have entries with the same identifier.
    """
    updated_at: str | None = None
    """
    Time of the last change of the entry (RFC 3339).
    """
    metadata: dict[str, Any] | None = None
    """
    Additional values by name, each any JSON value.
    """
    publisher: Publisher | None = None
    """
    Who publishes the artifact.
    """
    representative_queries: list[str] | None = None
    """
    Two to five questions, in the words of users, that the artifact can answer; a registry searches them.
    """
    capabilities: list[str] | None = None
    """
    Names of skills or tools, for filters.
    """
    trust_manifest: TrustManifest | None = None
    """
    Who vouches for the artifact.
    """


class HostInfo(WireModel):
    """
    The operator of a catalogue.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    display_name: str
    """
    Name of the operator for people.
    """
    identifier: str | None = None
    """
    Identifier of the operator that can be verified, such as a DID or a domain.
    """
    documentation_url: str | None = None
    """
    URL of the operator's documentation.
    """
    logo_url: str | None = None
    """
    URL of the operator's logo.
    """
    trust_manifest: TrustManifest | None = None
    """
    Who vouches for the operator.
    """


class AiCatalog(WireModel):
    """
    AI Catalog: the agents, servers and other artifacts that a host offers, served at /.well-known/ai-catalog.json.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    spec_version: str
    """
    Version of the AI Catalog specification, as Major.Minor.
    """
    host: HostInfo | None = None
    """
    Who operates the catalogue.
    """
    entries: list[CatalogEntry]
    """
    The artifacts, one entry for each version of each.
    """
    metadata: dict[str, Any] | None = None
    """
    Additional values by name, each any JSON value.
    """
