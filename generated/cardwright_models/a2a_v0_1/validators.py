"""A2A 0.1 agent card: its rules, and the judge that asks them.

Generated from schemas/a2a/0.1/dialect.json
by `make generate`: not edited, printed again when the schemas change.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from cardwright_runtime.checks import Spelling, dig, listed, spelling, unique
from cardwright_runtime.engine import Judge
from cardwright_runtime.violation import Rule

if TYPE_CHECKING:
    from cardwright_runtime.engine import Vocabularies
    from cardwright_runtime.violation import Violation

RULES: Final[dict[str, Rule]] = {
    "limits/interfaces": Rule(
        id="limits/interfaces",
        severity="error",
        spec="ours",
        message="more than 64 interfaces: no reader tries them all",
    ),
    "limits/skills": Rule(
        id="limits/skills",
        severity="error",
        spec="ours",
        message="more than 1,024 skills: no reader gets through them; split the agent",
    ),
    "members/spelling": Rule(
        id="members/spelling",
        severity="warning",
        spec="A2A §5.5; ours",
        message="{value} is read by nobody: the member is called {meant}",
    ),
    "modes/media-type": Rule(
        id="modes/media-type",
        severity="warning",
        spec="A2A 0.1 §5.5",
        message="{value} is not a media type: write type/subtype, such as text/plain or application/json",
    ),
    "protocol-version/form": Rule(
        id="protocol-version/form",
        severity="error",
        spec="A2A 0.1 §5.5",
        message="{value} is not a protocol version: write the A2A version that the url speaks, such as 0.3.0",
    ),
    "protocol-version/known": Rule(
        id="protocol-version/known",
        severity="warning",
        spec="A2A 0.1 §5.5",
        message="there is no A2A version {value}: clients choose by this, so write the one that the url speaks",
    ),
    "secrets/credentials-opaque": Rule(
        id="secrets/credentials-opaque",
        severity="warning",
        spec="A2A 0.1 §5.5.3",
        message='`credentials` looks like a secret itself: write non-secret JSON about the scheme, such as {{"in": "header", "name": "X-API-Key"}}',
    ),
    "secrets/credentials-value": Rule(
        id="secrets/credentials-value",
        severity="error",
        spec="A2A 0.1 §5.5.3",
        message="`credentials` holds a secret's value: it may say where and under which name a key goes, never the key",
    ),
    "secrets/token": Rule(
        id="secrets/token",
        severity="error",
        spec="A2A 0.1 §5.4; A2A 1.0 §13.4",
        message="this text holds what looks like a secret (an API key, token or private key): take it out and revoke it",
    ),
    "skills/none": Rule(
        id="skills/none",
        severity="warning",
        spec="A2A 0.1 §5.5",
        message="the card lists no skill: a client cannot tell what the agent does",
    ),
    "skills/unique-id": Rule(
        id="skills/unique-id",
        severity="error",
        spec="A2A 0.1 §5.5.4",
        message="the skill id {value} stands at {first} already: give each skill its own",
    ),
    "text/bidirectional": Rule(
        id="text/bidirectional",
        severity="warning",
        spec="ours; Unicode TR 9 §2; CVE-2021-42574",
        message="this text holds bidirectional control characters: it is shown in another order than it is read; remove them",
    ),
    "text/control-characters": Rule(
        id="text/control-characters",
        severity="warning",
        spec="ours; ECMA-48",
        message="this text holds control characters (a terminal may obey them): remove them",
    ),
    "text/hidden-characters": Rule(
        id="text/hidden-characters",
        severity="warning",
        spec="ours; Unicode TR 36 §2",
        message="this text holds characters that are not shown (zero-width, tag or variation-selector characters): a model reads what a person does not; remove them",
    ),
    "text/instruction": Rule(
        id="text/instruction",
        severity="warning",
        spec="ours; OWASP LLM01 2025",
        message="this text speaks to the model that reads the card instead of describing the agent: describe what the agent does",
    ),
    "text/instruction-in-example": Rule(
        id="text/instruction-in-example",
        severity="warning",
        spec="ours; OWASP LLM01 2025",
        message="this text gives orders to the model that reads the card: an example says what a caller may ask of the agent",
    ),
    "url/absolute": Rule(
        id="url/absolute",
        severity="error",
        spec="A2A 0.1 §5.5",
        message="{value} is not an absolute URL: write scheme, host and path, such as https://agent.example.com/a2a",
    ),
    "url/https": Rule(
        id="url/https",
        severity="warning",
        spec="A2A 0.1 §5.5",
        message="{value} is plain http: an agent that others reach over a network is served over https",
    ),
    "url/loopback-host": Rule(
        id="url/loopback-host",
        severity="warning",
        spec="A2A 0.1 §5.5",
        message="{value} names this machine itself: nobody else reaches it there; write the public host",
    ),
    "url/reference-absolute": Rule(
        id="url/reference-absolute",
        severity="warning",
        spec="A2A 0.1 §5.5",
        message="{value} is not an absolute URL: a reader of the card has no base to resolve it against",
    ),
    "url/userinfo": Rule(
        id="url/userinfo",
        severity="error",
        spec="A2A 0.1 §5.4; RFC 3986 §3.2.1",
        message="the URL carries a user name or password before its host: take it out of the card",
    ),
    "url/wildcard-host": Rule(
        id="url/wildcard-host",
        severity="warning",
        spec="A2A 0.1 §5.5",
        message="{value} names the address a server listens on, not one that a client can dial; write the public host",
    ),
}

SPELLINGS: Final = {
    "": Spelling.of(
        "authentication",
        "capabilities",
        "defaultInputModes",
        "defaultOutputModes",
        "description",
        "documentationUrl",
        "name",
        "provider",
        "skills",
        "url",
        "version",
    ),
    "/capabilities": Spelling.of(
        "pushNotifications",
        "stateTransitionHistory",
        "streaming",
    ),
    "/provider": Spelling.of(
        "organization",
        "url",
    ),
    "/skills/*": Spelling.of(
        "description",
        "examples",
        "id",
        "inputModes",
        "name",
        "outputModes",
        "tags",
    ),
}


def structural(document: dict[str, Any], found: list[Violation], vocabularies: Vocabularies) -> None:
    """Add what breaks the rules that JSON Schema cannot say."""
    if type(document) is dict and not document.keys() <= SPELLINGS[""].names:
        spelling(found, RULES["members/spelling"], document, "", SPELLINGS[""])
    item = dig(document, ("provider",))
    if type(item) is dict and not item.keys() <= SPELLINGS["/provider"].names:
        spelling(found, RULES["members/spelling"], item, "/provider", SPELLINGS["/provider"])
    item = dig(document, ("capabilities",))
    if type(item) is dict and not item.keys() <= SPELLINGS["/capabilities"].names:
        spelling(found, RULES["members/spelling"], item, "/capabilities", SPELLINGS["/capabilities"])
    for index, item in enumerate(listed(document.get("skills"))):
        if type(item) is dict and not item.keys() <= SPELLINGS["/skills/*"].names:
            spelling(found, RULES["members/spelling"], item, f"/skills/{index}", SPELLINGS["/skills/*"])
    unique(found, RULES["skills/unique-id"], document.get("skills"), "/skills", ("id",))
    del vocabularies


JUDGE: Final = Judge(__package__ or "", RULES, structural, gated=True)
