"""A2A 1.0 cards without a fault, that say all that a reader goes by."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

BASE = "https://agent.example.com"
URLS = st.sampled_from([f"{BASE}/a2a", f"{BASE}/rest", f"{BASE}:8443/grpc", "https://other.example.org/"])
WORDS = st.sampled_from(["read", "write", "Größe", "a.b:c", "日本"])
MODES = st.lists(st.sampled_from(["text/plain", "application/json", "image/png"]), min_size=1, unique=True)
FLAGS = st.sampled_from(["extendedAgentCard", "streaming"])
SCOPES = st.dictionaries(WORDS, st.just("what it allows"), max_size=3)
FLOWS = {
    "authorizationCode": (("authorizationUrl", "tokenUrl"), ("refreshUrl", "pkceRequired")),
    "clientCredentials": (("tokenUrl",), ("refreshUrl",)),
    "deviceCode": (("deviceAuthorizationUrl", "tokenUrl"), ("refreshUrl",)),
}


def _flow(name: str) -> st.SearchStrategy[dict[str, Any]]:
    required, optional = FLOWS[name]
    fields = {name: st.just(f"{BASE}/{name}") for name in required} | {"scopes": SCOPES}
    may = {name: st.booleans() if name == "pkceRequired" else URLS for name in optional}
    flow = st.fixed_dictionaries(fields, optional=may)
    return st.fixed_dictionaries(
        {"flows": st.fixed_dictionaries({name: flow})},
        optional={"oauth2MetadataUrl": st.just(f"{BASE}/metadata"), "description": WORDS},
    )


SCHEMES = st.one_of(
    st.fixed_dictionaries(
        {
            "apiKeySecurityScheme": st.fixed_dictionaries(
                {"location": st.sampled_from(["header", "query", "cookie"]), "name": st.just("X-Key")}
            )
        }
    ),
    st.fixed_dictionaries(
        {
            "httpAuthSecurityScheme": st.fixed_dictionaries(
                {"scheme": st.sampled_from(["Bearer", "Basic"])}, optional={"bearerFormat": st.just("JWT")}
            )
        }
    ),
    *(st.fixed_dictionaries({"oauth2SecurityScheme": _flow(name)}) for name in FLOWS),
    st.just(
        {"openIdConnectSecurityScheme": {"openIdConnectUrl": f"{BASE}/.well-known/openid-configuration"}}
    ),
    st.just({"mtlsSecurityScheme": {}}),
)
INTERFACES = st.lists(
    st.fixed_dictionaries(
        {
            "url": URLS,
            "protocolBinding": st.sampled_from(["JSONRPC", "HTTP+JSON", "GRPC"]),
            "protocolVersion": st.sampled_from(["1.0", "0.3", "0.2"]),
        },
        optional={"tenant": st.sampled_from(["north", "süd"])},
    ),
    min_size=1,
    max_size=3,
    unique_by=lambda item: (item["url"], item["protocolBinding"], item["protocolVersion"]),
)


@st.composite
def sound(draw: st.DrawFn) -> dict[str, Any]:
    """Return a valid A2A 1.0 card: interfaces, skills, every kind of scheme, requirements that name them."""
    schemes = draw(st.dictionaries(st.sampled_from(["one", "two", "three"]), SCHEMES, max_size=3))

    def requirements() -> list[dict[str, Any]]:
        names = draw(
            st.lists(st.lists(st.sampled_from(sorted(schemes)), min_size=1, unique=True), max_size=2)
        )
        return [{"schemes": {name: {"list": scopes_of(schemes[name])} for name in entry}} for entry in names]

    skills = []
    for number in range(draw(st.integers(1, 3))):
        skill: dict[str, Any] = {"id": f"skill-{number}", "name": "Skill", "description": "It does a thing."}
        skill["tags"] = draw(st.lists(WORDS, min_size=1, unique=True))
        for mode_field in draw(st.sets(st.sampled_from(["inputModes", "outputModes"]))):
            skill[mode_field] = draw(MODES)
        if draw(st.booleans()) and schemes:
            skill["securityRequirements"] = requirements()
        skills.append(skill)
    card: dict[str, Any] = {
        "name": "Agent",
        "description": "An agent.",
        "version": "1.0.0",
        "supportedInterfaces": draw(INTERFACES),
        "capabilities": draw(st.dictionaries(FLAGS, st.booleans())),
        "defaultInputModes": ["text/plain"],
        "defaultOutputModes": ["text/plain"],
        "skills": skills,
    }
    if schemes:
        card["securitySchemes"] = schemes
        card["securityRequirements"] = requirements()
    return card


def scopes_of(scheme: dict[str, Any]) -> list[str]:
    """Return the scopes that a scheme declares."""
    flows = scheme.get("oauth2SecurityScheme", {}).get("flows", {})
    return sorted(scope for flow in flows.values() for scope in flow["scopes"])
