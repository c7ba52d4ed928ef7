"""Routes of cards: one and many, mount paths, the catalogue, base URLs and proxies."""

from __future__ import annotations

import re
from typing import Any

import pytest

from cardwright import Card, Catalog, sign, well_known_agent_card
from cardwright.rewrite import BadBaseURL
from cardwright.serve import BadSettings, SensitiveCard, TrustedProxies
from cardwright.signing import new_key
from tests.serve.cards import both, example, newer
from tests.serve.client import CARD_PATH, LEGACY_PATH, Reply, ask

CARDS = {"seeds": both(), "orchard": example("beach-1.0"), "parcels-1.0": example("a2a-1.0")}
MANY = well_known_agent_card(CARDS, index_path="/", openapi_path="/openapi.json")


@pytest.mark.parametrize("card_id", CARDS)
def test_each_of_many_cards_is_served_by_path_and_by_id(card_id: str) -> None:
    by_path = ask(MANY, url=f"/{card_id}{CARD_PATH}")
    assert by_path.status == 200
    assert ask(MANY, url=f"{CARD_PATH}?id={card_id}").body == by_path.body
    older = ask(MANY, url=f"/{card_id}{LEGACY_PATH}")
    assert ask(MANY, url=f"{LEGACY_PATH}?id={card_id}").body == older.body


def test_without_an_id_many_cards_give_404_with_the_list() -> None:
    reply = ask(MANY)
    assert (reply.status, reply.reason) == (404, "CARD_NOT_FOUND")
    assert "?id=" in reply.json["error"]["message"]


def test_one_of_many_cards_may_be_served_at_the_root_too() -> None:
    app = well_known_agent_card(CARDS, root="seeds")
    assert ask(app).body == ask(app, url=f"/seeds{CARD_PATH}").body
    assert ask(app, url=f"{CARD_PATH}?id=orchard").json["name"] == "OrchardPlanner"
    with pytest.raises(BadSettings, match="root: unknown card id 'x'"):
        well_known_agent_card(CARDS, root="x")


@pytest.mark.parametrize(
    "url",
    [
        f"{CARD_PATH}?id=none", f"{CARD_PATH}?id=", f"/none{CARD_PATH}", f"{CARD_PATH}?id=../seeds",
        f"{CARD_PATH}?id=%3Cscript%3E", f"/seeds/x{CARD_PATH}", "/", "/.well-known/", "/.well-known",
        f"{CARD_PATH}/", f"/{CARD_PATH}", f"/.{CARD_PATH}", "/x/..//.well-known/agent-card.json",
        "/.well-known/agent-card.json\x00", "/.WELL-KNOWN/agent-card.json", "*", "",
    ],
)  # fmt: skip
def test_another_path_gets_404_and_is_not_reflected(url: str) -> None:
    app = well_known_agent_card(CARDS)
    reply = ask(app, url=url)
    assert (reply.status, reply.reason) == (404, "CARD_NOT_FOUND" if "?id=" in url else "NO_SUCH_PATH")
    assert b"script" not in reply.body


@pytest.mark.parametrize("raw", [b"/.well-known%2Fagent-card.json", b"/.well-known/..%5cagent-card.json"])
def test_an_encoded_slash_gets_404(raw: bytes) -> None:
    assert ask(well_known_agent_card(both()), scope={"raw_path": raw}).status == 404


@pytest.mark.parametrize("card_id", ["", ".hidden", "a/b", "a b", "ü", "x" * 65, "-a", "a\n"])
def test_an_id_that_fits_no_path_is_refused(card_id: str) -> None:
    with pytest.raises(BadSettings, match="invalid card id"):
        well_known_agent_card({card_id: both()})


def test_no_card_and_an_invalid_one_are_refused() -> None:
    with pytest.raises(BadSettings, match="expected at least one card"):
        well_known_agent_card({})
    with pytest.raises(BadSettings, match="expected a Card"):
        well_known_agent_card({"a": both().document})  # type: ignore[dict-item]
    with pytest.raises(BadSettings, match="expected a Card"):
        well_known_agent_card(lambda: {"a": None})  # type: ignore[dict-item]


@pytest.mark.parametrize(
    "settings",
    [
        {"rpc_path": "/.well-known/agent-card.json"}, {"rpc_path": "/v1/card"},
        {"index_path": "/.well-known/agent.json"}, {"openapi_path": "/extendedAgentCard"},
    ],
)  # fmt: skip
def test_a_path_used_by_a_card_is_refused(settings: dict[str, str]) -> None:
    with pytest.raises(BadSettings, match="is the path of a card"):
        well_known_agent_card(both(), **settings)  # type: ignore[arg-type]


def test_the_catalogue_lists_all_cards_with_their_urls() -> None:
    app = well_known_agent_card(CARDS, base_url="https://agents.example.com")
    reply = ask(app, url="/.well-known/ai-catalog.json")
    assert reply.headers["content-type"] == "application/ai-catalog+json"
    catalogue = reply.json
    assert catalogue["specVersion"] == "1.0"
    assert {entry["type"] for entry in catalogue["entries"]} == {"application/a2a-agent-card+json"}
    for entry, card_id in zip(catalogue["entries"], CARDS, strict=True):
        assert entry["displayName"] == CARDS[card_id].document["name"]
        assert "data" not in entry
        card = Card.from_bytes(ask(app, url=entry["url"].removeprefix("https://agents.example.com")).body)
        assert card.dialect.family == "a2a"
    assert len({(entry["identifier"], entry["version"]) for entry in catalogue["entries"]}) == len(CARDS)


def test_agents_that_share_an_endpoint_have_identifiers_of_their_own() -> None:
    app = well_known_agent_card({"one": both(), "two": both()})
    entries = ask(app, url="/.well-known/ai-catalog.json").json["entries"]
    assert len({(entry["identifier"], entry["version"]) for entry in entries}) == 2


def test_a_catalogue_without_a_base_url_embeds_the_cards() -> None:
    entries = ask(MANY, url="/.well-known/ai-catalog.json").json["entries"]
    assert all(Card.from_document(entry["data"]).valid and "url" not in entry for entry in entries)


@pytest.mark.parametrize("path", ["/.well-known/ard.json", "/.well-known/ai-catalog.json"])
def test_both_catalogues_list_the_same_cards(path: str) -> None:
    catalog = Catalog.from_document(ask(MANY, url=path).json, found_at=path)
    assert (str(catalog.dialect), catalog.errors) == ("ard-0.91" if "ard" in path else "ai-catalog-1", ())
    assert [entry.name for entry in catalog.entries] == [
        Card.from_document(entry.data).view.name for entry in catalog.entries
    ]


def test_the_html_list_links_every_card() -> None:
    page = ask(MANY, url="/").body.decode()
    for card_id in CARDS:
        assert f'href="{card_id}/.well-known/agent-card.json"' in page
    assert 'href=".well-known/ai-catalog.json"' in page
    assert ask(MANY, url="/", headers={"Accept": "application/json"}).status == 406


def test_links_of_pages_work_under_any_mount_path() -> None:
    app = well_known_agent_card(CARDS, index_path="/all/agents.html")
    index = ask(app, url="/x/all/agents.html", scope={"root_path": "/x"}).body.decode()
    assert 'href="../seeds/.well-known/agent-card.json"' in index
    assert 'href="../.well-known/ai-catalog.json"' in index
    links = ask(app, url="/x/all/agents.html", scope={"root_path": "/x"}).headers["link"]
    assert links.startswith(
        '<../.well-known/ard.json>; rel="ard", <../.well-known/ai-catalog.json>; rel="ai-catalog"'
    )
    page = ask(app, url=f"/seeds{CARD_PATH}", headers={"Accept": "text/html"}).body.decode()
    assert 'href="../../all/agents.html"' in page


def test_a_page_links_every_other_representation() -> None:
    page = ask(MANY, url=f"/seeds{CARD_PATH}", headers={"Accept": "text/html"}).body.decode()
    links = list(re.findall(r'href="(agent-card\.json[^"]*)"', page))
    expected = ["format=json", "format=yaml", "A2A-Version=1.0", "A2A-Version=0.3"]
    assert links == [f"agent-card.json?{query}" for query in expected]
    types = [ask(MANY, url=f"/seeds/.well-known/{link}").headers["content-type"] for link in links]
    assert types[:2] == ["application/json", "application/yaml; charset=utf-8"]
    newest = ask(
        MANY, url=f"/seeds{CARD_PATH}?A2A-Version=1.0", headers={"Accept": "text/html"}
    ).body.decode()
    links = [link.replace("&amp;", "&") for link in re.findall(r'href="(agent-card\.json[^"]*)"', newest)]
    assert links == [
        "agent-card.json?A2A-Version=1.0&format=json", "agent-card.json?A2A-Version=1.0&format=yaml",
        "agent-card.json", "agent-card.json?A2A-Version=0.3",
    ]  # fmt: skip
    assert ask(MANY, url=f"/seeds{CARD_PATH}?format=xml").status == 400


def test_the_page_of_a_card_has_a_strict_content_security_policy() -> None:
    for url in ("/", f"/seeds{CARD_PATH}"):
        reply = ask(MANY, url=url, headers={"Accept": "text/html"})
        assert "default-src 'none'" in reply.headers["content-security-policy"]
        assert reply.headers["x-content-type-options"] == "nosniff"


MOUNTS = [
    ("", CARD_PATH),
    ("/agents", f"/agents{CARD_PATH}"),
    ("/.well-known", CARD_PATH),
    ("/a/", f"/a{CARD_PATH}"),
]


@pytest.mark.parametrize(("root_path", "path"), MOUNTS)
def test_it_may_be_mounted_anywhere(root_path: str, path: str) -> None:
    app = well_known_agent_card(both())
    assert ask(app, url=path, scope={"root_path": root_path}).status == 200


def test_the_mount_path_is_part_of_the_cache_key() -> None:
    app = well_known_agent_card(both())
    path = f"/agents{CARD_PATH}"
    statuses = [
        ask(app, url=path, scope={"root_path": root}).status for root in ("", "/agents", "", "/agents")
    ]
    assert statuses == [404, 200, 404, 200]


def test_a_path_outside_the_mount_is_used_unchanged() -> None:
    # Some frameworks strip the path and keep root_path; some only ever give the rest.
    app = well_known_agent_card(both())
    assert ask(app, scope={"root_path": "/agents"}).status == 200
    assert ask(app, url="/agent-card.json", scope={"root_path": "/x/.well-known"}).status == 200


def endpoints(reply: Reply) -> list[str]:
    return [one["url"] for one in reply.json["supportedInterfaces"]]


def test_a_base_url_replaces_the_origin_of_the_cards_own_endpoints() -> None:
    app = well_known_agent_card(both(), base_url="https://agents.example.com/seeds/")
    assert endpoints(ask(app)) == [
        "https://agents.example.com/seeds/a2a",
        "https://agents.example.com/seeds/old",
    ]
    assert ask(app, headers={"A2A-Version": "0.3"}).json["url"] == "https://agents.example.com/seeds/old"
    assert Card.from_bytes(ask(app).body).valid


def test_a_base_url_lets_an_internal_card_be_published() -> None:
    inside = newer(
        supportedInterfaces=[
            {"url": "http://localhost:9000/a2a", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}
        ]
    )
    app = well_known_agent_card(inside, base_url="https://agents.example.com")
    assert endpoints(ask(app)) == ["https://agents.example.com/a2a"]


@pytest.mark.parametrize(
    "base",
    [
        "agents.example.com",
        "ftp://a.example",
        "https://",
        "https://a.example/?x",
        "https://u@a.example",
        "https://a.example/#f",
        "https://a b",
    ],
)
def test_an_invalid_base_url_is_refused(base: str) -> None:
    with pytest.raises(BadBaseURL, match=r"such as https://agents\.example\.com/travel"):
        well_known_agent_card(both(), base_url=base)


NETWORKS = ["10.0.0.0/8", "fd00::/8"]
URLS = ["https://agents.example.com", "http://b.example:8443", "https://agents.example.com/x/"]
PROXIED = well_known_agent_card(both(), base_url=TrustedProxies(NETWORKS, URLS))
FORWARDED = well_known_agent_card(both(), base_url=TrustedProxies(NETWORKS, URLS, "forwarded"))
OWN = ["https://seeds.example.com/a2a", "https://seeds.example.com/old"]


def through(client: str, app: Any = PROXIED, **headers: str) -> Reply:
    fields = {name.replace("_", "-"): value for name, value in headers.items()}
    return ask(app, headers={"Host": "seeds.example.com", **fields}, scope={"client": (client, 1)})


@pytest.mark.parametrize(
    ("headers", "base"),
    [
        ({"X_Forwarded_Proto": "https", "X_Forwarded_Host": "agents.example.com"}, URLS[0]),
        ({"X_Forwarded_Host": "agents.example.com"}, URLS[0]),
        ({"X_Forwarded_Host": "agents.example.com:443"}, URLS[0]),
        ({"X_Forwarded_Host": "b.example:8443", "Forwarded": "host=evil.example"}, URLS[1]),
        ({"X_Forwarded_Host": "evil.example, agents.example.com"}, URLS[0]),
        ({"X_Forwarded_Host": "AGENTS.example.com", "X_Forwarded_Prefix": "/x"}, URLS[2][:-1]),
        ({"Host": "agents.example.com", "X_Forwarded_Proto": "HTTPS"}, URLS[0]),
    ],
)
@pytest.mark.parametrize("client", ["10.9.8.7", "fd00::1", "::ffff:10.9.8.7"])
def test_a_trusted_proxy_selects_among_the_base_urls(headers: dict[str, str], base: str, client: str) -> None:
    reply = through(client, **headers)
    assert endpoints(reply) == [f"{base}/a2a", f"{base}/old"]
    assert {"X-Forwarded-Host", "X-Forwarded-Proto", "Host"} <= set(reply.headers["vary"].split(", "))


@pytest.mark.parametrize(
    ("forwarded", "base"),
    [
        ("for=1.2.3.4;proto=https;host=agents.example.com", URLS[0]),
        ('proto=http;host="b.example:8443"', URLS[1]),
        ('host=evil.example;for="a,b", proto=https;host=agents.example.com', URLS[0]),
    ],
)
def test_the_forwarded_header_selects_the_base_url(forwarded: str, base: str) -> None:
    reply = through("10.0.0.1", FORWARDED, Forwarded=forwarded, X_Forwarded_Host="evil.example")
    assert endpoints(reply) == [f"{base}/a2a", f"{base}/old"]
    assert "Forwarded" in reply.headers["vary"].split(", ")


def test_forwarding_headers_of_untrusted_clients_are_ignored() -> None:
    for client in ("192.0.2.7", "11.0.0.1", "::1", "not-an-address"):
        assert endpoints(through(client, X_Forwarded_Host="agents.example.com")) == OWN
    assert endpoints(ask(PROXIED, scope={"client": None})) == OWN


@pytest.mark.parametrize(
    ("app", "headers"),
    [
        (PROXIED, {}),
        (PROXIED, {"X_Forwarded_Host": "evil.example"}),
        (PROXIED, {"X_Forwarded_Host": "agents.example.com@evil.example"}),
        (PROXIED, {"X_Forwarded_Host": "agents.example.com/x"}),
        (PROXIED, {"X_Forwarded_Host": "agents.example.com", "X_Forwarded_Proto": "http"}),
        (PROXIED, {"X_Forwarded_Host": "agents.example.com", "X_Forwarded_Proto": "javascript"}),
        (PROXIED, {"X_Forwarded_Host": "agents.example.com", "X_Forwarded_Prefix": "//evil.example"}),
        (PROXIED, {"X_Forwarded_Host": "agents.example.com", "X_Forwarded_Prefix": "/evil"}),
        (PROXIED, {"X_Forwarded_Host": "agents.example.com", "X_Forwarded_Prefix": '/"><script>'}),
        (PROXIED, {"X_Forwarded_Host": "a" * 40 + "_"}),
        (FORWARDED, {"Forwarded": "host=;;"}),
        (FORWARDED, {"Forwarded": "nonsense"}),
        (FORWARDED, {"Forwarded": "host=agents.example.com;host=b.example:8443"}),
        (FORWARDED, {"Forwarded": "proto=http;host=agents.example.com"}),
    ],
)
def test_a_malformed_forwarding_header_of_a_proxy_is_refused(app: Any, headers: dict[str, str]) -> None:
    reply = through("10.0.0.1", app, **headers)
    assert (reply.status, reply.reason) == (400, "BAD_HEADER")
    assert b"evil" not in reply.body


def test_a_long_forwarding_header_is_refused() -> None:
    assert through("10.0.0.1", FORWARDED, Forwarded='","' * 3000).status == 431


@pytest.mark.parametrize(
    ("fields", "caller"),
    [
        ([], "10.0.0.1"),
        (["203.0.113.7"], "203.0.113.7"),
        (["198.51.100.1, 203.0.113.7, 10.1.1.1"], "203.0.113.7"),
        (["198.51.100.1", "203.0.113.7:4711"], "203.0.113.7"),
        (["[2001:db8::7]:4711"], "2001:db8::7"),
        (["2001:db8::7"], "2001:db8::7"),
        (["unknown"], "10.0.0.1"),
        (["203.0.113.7, "], "10.0.0.1"),
        (["198.51.100.1, " * 1000 + "203.0.113.7"], "203.0.113.7"),
    ],
)
def test_the_client_address_is_the_last_one_that_is_no_proxy(fields: list[str], caller: str) -> None:
    headers = [(b"x-forwarded-for", value.encode()) for value in fields]
    scope = {"client": ("10.0.0.1", 1), "headers": headers}
    assert TrustedProxies(NETWORKS, URLS).caller(scope) == caller
    # No other client is trusted.
    assert TrustedProxies(NETWORKS, URLS).caller({**scope, "client": ("192.0.2.1", 1)}) == "192.0.2.1"


@pytest.mark.parametrize(
    ("field", "caller"),
    [
        ('for=198.51.100.1, for="203.0.113.7:80";proto=https', "203.0.113.7"),
        ('for="[2001:db8::7]:80", for=10.1.1.1', "2001:db8::7"),
        ("for=203.0.113.7, proto=https", "10.0.0.1"),
        ("for=203.0.113.7, for=10.1.1.1, for=10.1.1.1;for=x", "10.0.0.1"),
        ('for="_hidden,"', "10.0.0.1"),
    ],
)
def test_the_client_address_is_read_from_forwarded_too(field: str, caller: str) -> None:
    scope = {"client": ("10.0.0.1", 1), "headers": [(b"forwarded", field.encode())]}
    assert TrustedProxies(NETWORKS, URLS, "forwarded").caller(scope) == caller


def test_every_base_url_of_a_proxy_is_validated_at_startup() -> None:
    inside = TrustedProxies(["10.0.0.0/8"], ["https://agents.corp"])
    with pytest.raises(SensitiveCard):
        well_known_agent_card(both(), base_url=inside)
    signed = sign(newer(), key=new_key("EdDSA", "k1"), kid="k1", alg="EdDSA")
    with pytest.raises(BadSettings, match="would make the signatures of the card invalid"):
        well_known_agent_card(signed, base_url=TrustedProxies(NETWORKS, URLS))


@pytest.mark.parametrize(
    ("networks", "urls"),
    [([], URLS), (NETWORKS, []), (["10.0.0/8"], URLS), (NETWORKS, ["agents.example.com"])],
)
def test_invalid_proxy_settings_are_refused(networks: list[str], urls: list[str]) -> None:
    with pytest.raises(BadBaseURL):
        TrustedProxies(networks, urls)
    with pytest.raises(BadBaseURL, match="forwarded_header"):
        TrustedProxies(NETWORKS, URLS, "both")  # type: ignore[arg-type]


def test_robots_txt_names_the_catalogue_on_request() -> None:
    app = well_known_agent_card(both(), base_url="https://agents.example.com", robots=True)
    reply = ask(app, url="/robots.txt")

    assert reply.headers["content-type"] == "text/plain; charset=utf-8"
    assert reply.body.decode().splitlines()[-1] == (
        "Agentmap: https://agents.example.com/.well-known/ard.json"
    )
    assert ask(app, url="/robots.txt", headers={"if-none-match": reply.headers["etag"]}).status == 304
    assert ask(well_known_agent_card(both()), url="/robots.txt").status == 404
    with pytest.raises(BadSettings, match="robots needs a fixed base_url"):
        well_known_agent_card(both(), robots=True)
