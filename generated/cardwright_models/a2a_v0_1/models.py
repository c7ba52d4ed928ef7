"""A2A 0.1 agent card: typed models.

Generated from schemas/a2a/0.1/agent-card.schema.json (sha256 1b97250dc12e543fe4536b3b78884eda94efbc8b7d35c28ab5e8c6fafc959936)
by `make generate`. Do not edit: change the schemas and generate again.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import ConfigDict, Field

from cardwright_models.base import WireModel


class AgentAuthentication(WireModel):
    """
    The authentication that the agent's endpoint asks for. Later versions replace this object by `securitySchemes` and `security`.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    schemes: list[str]
    """
    Names of the accepted schemes, such as Bearer, Basic, OAuth2 or ApiKey; use registered names where there are any. Empty advertises nothing.
    """
    credentials: Annotated[str | None, Field(json_schema_extra={"x-nullable": True})] = None
    """
    Public details of the schemes, usually JSON inside this string: token URLs, scopes, the name of a header. It must never hold a secret.
    """


class AgentCapabilities(WireModel):
    """
    Switches for optional protocol features; a switch that is absent is off.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    streaming: Annotated[bool | None, Field(json_schema_extra={"x-default": False})] = None
    """
    True if `tasks/sendSubscribe` and `tasks/resubscribe` work and report over server-sent events.
    """
    push_notifications: Annotated[bool | None, Field(json_schema_extra={"x-default": False})] = None
    """
    True if a client may register a webhook with `tasks/pushNotification/set`.
    """
    state_transition_history: Annotated[bool | None, Field(json_schema_extra={"x-default": False})] = None
    """
    Reserved for agents that expose every status change of a task; 0.1 defines no mechanism for it.
    """


class AgentProvider(WireModel):
    """
    The person or organisation behind an agent.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    organization: str
    """
    Name of the provider.
    """
    url: Annotated[str | None, Field(json_schema_extra={"x-nullable": True})] = None
    """
    The provider's website or contact page.
    """


class AgentSkill(WireModel):
    """
    One thing that the agent can do.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    id: str
    """
    Identifier of the skill, unique within this card.
    """
    name: str
    """
    What people call the skill.
    """
    description: Annotated[str | None, Field(json_schema_extra={"x-nullable": True})] = None
    """
    What the skill does and what to mind when using it, in plain text or CommonMark.
    """
    tags: Annotated[list[str] | None, Field(json_schema_extra={"x-nullable": True})] = None
    """
    Keywords by which a catalogue can find the skill.
    """
    examples: Annotated[list[str] | None, Field(json_schema_extra={"x-nullable": True})] = None
    """
    Sample inputs that show how to ask for the skill.
    """
    input_modes: Annotated[list[str] | None, Field(json_schema_extra={"x-nullable": True})] = None
    """
    Media types that this skill reads, instead of `defaultInputModes`. Null and absent both keep the default.
    """
    output_modes: Annotated[list[str] | None, Field(json_schema_extra={"x-nullable": True})] = None
    """
    Media types that this skill produces, instead of `defaultOutputModes`. Null and absent both keep the default.
    """


class AgentCard(WireModel):
    """
    A2A 0.1 agent card: who an agent is, where it listens, how to authenticate and what it can do. Follows the prose of the specification, which allows null where the JSON file of the same release does not.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    name: str
    """
    What people call this agent.
    """
    description: Annotated[str | None, Field(json_schema_extra={"x-nullable": True})] = None
    """
    What the agent is for, in plain text or CommonMark. Null and absent mean the same.
    """
    url: str
    """
    Where JSON-RPC requests for this agent are posted. Absolute; https outside a developer's machine.
    """
    provider: Annotated[AgentProvider | None, Field(json_schema_extra={"x-nullable": True})] = None
    """
    Who runs the agent. Null and absent mean the same.
    """
    version: str
    """
    Release of the agent itself, in whatever format its provider uses; not a version of A2A.
    """
    documentation_url: Annotated[str | None, Field(json_schema_extra={"x-nullable": True})] = None
    """
    Page for human readers that explains the agent.
    """
    capabilities: AgentCapabilities
    """
    The optional parts of the protocol that this agent implements.
    """
    authentication: Annotated[AgentAuthentication | None, Field(json_schema_extra={"x-nullable": True})] = (
        None
    )
    """
    How callers of `url` must authenticate. Null, absent or an empty scheme list advertises nothing.
    """
    default_input_modes: Annotated[
        list[str] | None, Field(json_schema_extra={"x-default": ["text/plain"]})
    ] = None
    """
    Media types that every skill reads unless it lists its own. Unlike most optional fields it must not be null.
    """
    default_output_modes: Annotated[
        list[str] | None, Field(json_schema_extra={"x-default": ["text/plain"]})
    ] = None
    """
    Media types that every skill produces unless it lists its own. Unlike most optional fields it must not be null.
    """
    skills: list[AgentSkill]
    """
    What the agent can do. An agent that does any work lists at least one.
    """
