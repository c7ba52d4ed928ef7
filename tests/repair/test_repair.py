"""Each kind of fix: the field before, the field after, and whether the fix is a guess."""

from __future__ import annotations

import json
from collections import Counter
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from cardwright import Card, Checks, violations
from cardwright.canonical import Limits
from cardwright.errors import MalformedDocument, SignedCard, UnknownDialect
from cardwright.repair import is_signed
from cardwright.repair.patch import Moves, patched
from cardwright.validator import violations_of
from cardwright_rules.a2a_v0_3.validators import VALIDATOR
from cardwright_runtime.engine import _rule_id  # pyright: ignore[reportPrivateUsage] # its calls are counted
from cardwright_runtime.violation import break_rule
from tests.repair.fixed_documents import fixed

if TYPE_CHECKING:
    from collections.abc import Sequence

SKILL = {"id": "tides", "name": "Tides", "description": "Tells the tides.", "tags": ["sea"]}
BODY: dict[str, Any] = {
    "name": "Harbour",
    "description": "Knows a harbour.",
    "version": "1.2.3",
    "capabilities": {"streaming": True},
    "defaultInputModes": ["text/plain"],
    "defaultOutputModes": ["text/plain"],
    "skills": [SKILL],
}
URL = "https://harbour.example/a2a"
V01: dict[str, Any] = {**BODY, "url": URL, "authentication": {"schemes": ["Bearer"]}}
V02: dict[str, Any] = {**BODY, "url": URL, "protocolVersion": "0.2.6", "preferredTransport": "JSONRPC"}
V03: dict[str, Any] = {**BODY, "url": URL, "protocolVersion": "0.3.0", "preferredTransport": "JSONRPC"}
ENTRY = {"url": URL, "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}
V10: dict[str, Any] = {**BODY, "supportedInterfaces": [ENTRY]}
OLDER_ENTRY = {**ENTRY, "protocolVersion": "0.3"}
HYBRID: dict[str, Any] = {**V03, "supportedInterfaces": [ENTRY, OLDER_ENTRY]}
BASES = {"0.1": V01, "0.2": V02, "0.3": V03, "1.0": V10, "hybrid": HYBRID}
GONE = object()

KEY = {"type": "apiKey", "in": "header", "name": "X-Key"}
WRAPPED_KEY = {"apiKeySecurityScheme": {"location": "header", "name": "X-Key"}}
BEARER = {"type": "http", "scheme": "bearer"}
WRAPPED_BEARER = {"httpAuthSecurityScheme": {"scheme": "bearer"}}


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of fix: on a valid card, the invalid fields, and the same fields when fixed."""

    name: str
    base: str
    wrong: dict[str, Any]
    fixed: dict[str, Any]
    safe: bool = True
    # What is missing from the invalid card.
    gone: Sequence[str] = ()

    def __str__(self) -> str:
        return f"{self.base} {self.name}"

    @property
    def invalid(self) -> dict[str, Any]:
        """The invalid card."""
        return changed(BASES[self.base], {**self.wrong, **dict.fromkeys(self.gone, GONE)})


def changed(card: dict[str, Any], fields: dict[str, Any]) -> dict[str, Any]:
    """Return a copy of a card with other fields; those marked as gone are left out."""
    both = {**deepcopy(card), **deepcopy(fields)}
    return {name: value for name, value in both.items() if fields.get(name) is not GONE}


def skills(**fields: Any) -> dict[str, Any]:
    return {"skills": [changed(SKILL, fields)]}


KINDS = [Kind(**one) for one in json.loads((Path(__file__).parent / "kinds.json").read_bytes())]


@pytest.mark.parametrize("name", BASES)
def test_the_base_cards_of_these_tests_need_no_fix(name: str) -> None:
    assert [v for v in violations(BASES[name]) if v.severity == "error"] == []
    assert fixed(BASES[name], safe_only=True) == (BASES[name], ())


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_each_kind_of_fix_gives_the_expected_card(kind: Kind) -> None:
    before, after = kind.invalid, changed(BASES[kind.base], kind.fixed)

    # Its error may be what distinguished a card of 0.1 from the others.
    dialect = "a2a-0.1" if kind.base == "0.1" else None

    better, fixes = fixed(before, dialect=dialect)

    assert better == after
    assert Card.from_document(better, dialect=dialect).valid
    assert fixes
    assert all(one.fix.safe for one in fixes) is kind.safe


@pytest.mark.parametrize("kind", [kind for kind in KINDS if not kind.safe], ids=str)
def test_with_safe_fixes_only_a_guess_is_neither_applied_nor_confirmed(kind: Kind) -> None:
    before = kind.invalid
    requests: list[Any] = []

    better, fixes = fixed(before, safe_only=True, ask=requests.append)  # type: ignore[arg-type] # returns None: no

    assert all(one.fix.safe for one in fixes)
    assert better == before or fixes
    assert requests == []


# What is left alone


@pytest.mark.parametrize(
    "wrong",
    [
        {"url": GONE},
        {"url": "/a2a"},
        {"url": ""},
        {"url": GONE, "endpoint": "/a2a"},
        {"securitySchemes": {"k": {"type": "apiKey", "in": "header"}}},
        {"securitySchemes": {"o": {"type": "oauth2"}}},
        {"security": [{"partners": []}]},
        {"capabilities": {"streaming": "sometimes"}},
        {"skills": "tides"},
        # A named scheme stays required, whatever else is invalid; a requirement is never removed.
        {"securitySchemes": {"b": BEARER}, "security": [{"b": None}]},
        {"securitySchemes": {"list": BEARER}, "security": [{"list": None}]},
        {"securitySchemes": {"b": BEARER}, **skills(security=[{"b": None}])},
        {"securitySchemes": {"n": {"type": "none", "scheme": "bearer"}}, "security": [{"n": []}]},
        {"securitySchemes": {"b": {"type": "bearer", "scheme": "basic"}}, "security": [{"b": []}]},
        {"authentication": {"required": True}},
        {"authentication": {"schemes": ["none"], "required": True}},
        {"authentication": {"schemes": ["bearer"], "credentials": '{"scheme": "basic"}'}},
    ],
    ids=lambda wrong: next(iter(wrong)),
)
def test_a_value_that_cannot_be_derived_is_left_unchanged(wrong: dict[str, Any]) -> None:
    before = changed(V03, wrong)

    assert fixed(before) == (before, ())


@pytest.mark.parametrize(
    "wrong",
    [
        {"securitySchemes": {"b": WRAPPED_BEARER}, "securityRequirements": [{"schemes": {"b": None}}]},
        {"securitySchemes": {"b": WRAPPED_BEARER}, "securityRequirements": [{"schemes": None}]},
        {"securitySchemes": {"k": {**KEY, "location": "query"}}},
    ],
)
def test_a_fix_never_removes_a_security_requirement_of_1_0(wrong: dict[str, Any]) -> None:
    before = changed(V10, wrong)

    assert fixed(before) == (before, ())


def test_null_scopes_are_no_scopes_and_the_scheme_stays_required() -> None:
    requirements = {"securityRequirements": [{"schemes": {"b": {"list": None}}}]}
    before = changed(V10, {"securitySchemes": {"b": WRAPPED_BEARER}, **requirements})

    assert fixed(before)[0]["securityRequirements"] == [{"schemes": {"b": {}}}]


def test_a_fix_that_would_add_an_error_is_left_out() -> None:
    # Under its right name the number would be an error.
    before = changed(V03, {"iconUrl": GONE, "icon_url": 7})

    assert fixed(before) == (before, ())


def test_a_fix_that_adds_only_a_warning_is_applied() -> None:
    # Its only endpoint is plain http: as its url it is warned of.
    before = changed(V02, {"url": GONE, "endpoint": "http://harbour.example/a2a"})

    assert fixed(before)[0] == changed(V02, {"url": "http://harbour.example/a2a"})


def test_a_fix_names_and_counts_what_it_drops() -> None:
    _, (one,) = fixed(changed(V03, {"capabilities": ["plan", "book", "pay", "cancel"]}))
    assert one.fix.description.endswith(
        'no optional capability, and drops 4 entries: "plan", "book", "pay", …'
    )
    _, (one,) = fixed(changed(V10, {"capabilities": ["streaming", "tools"]}))
    assert one.fix.description.endswith('are true, and drops 1 entry: "tools"')


def test_a_document_that_lacks_most_of_an_agent_is_not_fixed() -> None:
    before = changed(V03, {"version": GONE, "description": GONE, "iconUrl": None})
    assert len(fixed(before)[1]) == 3
    before = changed(before, {"capabilities": GONE})
    assert fixed(before) == (before, ())


def test_a_harmful_fix_does_not_prevent_others() -> None:
    before = changed(V02, {"icon_url": 7, "documentationUrl": None})
    before["default_input_modes"] = before.pop("defaultInputModes")

    better, _ = fixed(before)

    assert better == changed(V02, {"icon_url": 7})


def test_a_violation_revealed_by_a_fix_is_fixed_too() -> None:
    before = changed(V03, {"defaultInputModes": GONE, "default_input_modes": "text"})

    better, fixes = fixed(before, safe_only=True)

    assert better == V03
    assert [one.violation.rule for one in fixes] == ["members/spelling", "schema/type", "modes/media-type"]


def test_an_unfixable_violation_revealed_by_a_fix_stays_as_a_warning() -> None:
    before = changed(V03, {"defaultInputModes": GONE, "default_input_modes": ["smell"]})

    better, _ = fixed(before, safe_only=True)

    assert better == changed(V03, {"defaultInputModes": ["smell"]})


def test_two_fixes_of_the_same_place_are_applied_in_turn() -> None:
    before = changed(V10, {"securitySchemes": {"k": {**KEY, "description": None}}})
    before |= {"security": [{"k": []}], "supportedInterfaces": [ENTRY, {**ENTRY, "url": f" {URL}"}]}

    better, fixes = fixed(before, safe_only=True)

    # The second interface is the first one, once its blanks are gone.
    assert better["supportedInterfaces"] == [ENTRY]
    assert better["securityRequirements"] == [{"schemes": {"k": {"list": []}}}]
    assert patched(before, [one.fix.patch for one in fixes]) == better


def test_a_renamed_field_keeps_its_position() -> None:
    before = {("default_input_modes" if name == "defaultInputModes" else name): v for name, v in V03.items()}

    assert list(fixed(before)[0]) == list(V03)


def test_a_misspelt_field_that_contradicts_the_right_one_is_left() -> None:
    before = {**V03, "default_input_modes": ["application/json"]}

    assert fixed(before) == (before, ())


def test_a_document_and_its_fixed_copy_share_nothing() -> None:
    before = changed(V03, {"iconUrl": None, **skills(tags=GONE)})
    kept = deepcopy(before)

    better, _ = fixed(before)
    better["skills"][0]["tags"].append("mine")
    better["capabilities"]["streaming"] = False

    assert before == kept
    assert fixed(before)[0]["skills"][0]["tags"] == ["general"]


# Confirmation and refusal


def test_each_guess_is_confirmed_and_only_agreed_ones_are_applied() -> None:
    before = changed(V03, {"version": GONE, **skills(tags=GONE)})

    better, fixes = fixed(before, ask=lambda violation: violation.pointer == "/version")

    assert better == changed(V03, {"version": "0.0.0", **skills(tags=GONE)})
    assert [one.violation.pointer for one in fixes] == ["/version"]


def test_a_guess_is_confirmed_once() -> None:
    requests: list[str] = []

    def refuse(violation: Any) -> bool:
        requests.append(violation.pointer)
        return False

    fixed(changed(V03, {"version": GONE, **skills(tags=GONE)}), ask=refuse)

    assert sorted(requests) == ["/skills/0/tags", "/version"]


def test_a_confirmation_applies_to_its_own_item() -> None:
    # With a tag the second skill is the first one again and is left out: then the others move up.
    first = {**SKILL, "tags": ["general"]}
    untagged = [changed(SKILL, {"id": name, "tags": GONE}) for name in ("tides", "ebbs", "locks")]
    requests: list[str] = []

    def agree(violation: Any) -> bool:
        requests.append(violation.pointer)
        return violation.pointer == "/skills/1/tags" and requests.count(violation.pointer) == 1

    better, _ = fixed(changed(V03, {"skills": [first, *untagged]}), ask=agree)

    assert better["skills"] == [first, *untagged[1:]]


SIGNED = {**V03, "signatures": [{"protected": "eyJhbGciOiJFUzI1NiIsImtpZCI6ImsifQ", "signature": "c2ln"}]}


def test_each_fix_of_a_signed_card_warns_that_it_invalidates_the_signatures() -> None:
    before = {**SIGNED, "iconUrl": None}

    better, fixes = fixed(before)

    assert better == SIGNED
    assert [one.breaks_signatures for one in fixes] == [True]
    assert [one.breaks_signatures for one in fixed({**V03, "iconUrl": None})[1]] == [False]


def test_a_signed_card_is_refused_if_its_signatures_must_stay_valid() -> None:
    with pytest.raises(SignedCard, match=r"1 fix would change it and invalidate its signatures") as refusal:
        fixed({**SIGNED, "iconUrl": None}, break_signatures=False)

    assert refusal.value.fixes == 1


def test_a_signed_card_without_fixes_is_not_refused() -> None:
    assert fixed(SIGNED, break_signatures=False) == (SIGNED, ())


@pytest.mark.parametrize(
    ("signatures", "signed"), [(None, False), ([], False), ([{}], True), ({"did": "x"}, True)]
)
def test_any_value_of_signatures_makes_a_card_signed(signatures: Any, signed: bool) -> None:  # noqa: FBT001 - parametrised
    assert is_signed({"signatures": signatures}) is signed
    assert not is_signed([])  # type: ignore[arg-type] # no object


def test_a_document_that_cannot_be_validated_is_refused() -> None:
    with pytest.raises(UnknownDialect):
        fixed({"hello": 1})
    with pytest.raises(UnknownDialect):
        fixed(V03, dialect="a2a-9.9")
    with pytest.raises(MalformedDocument):
        fixed({**V03, "name": float("nan")})
    with pytest.raises(MalformedDocument):
        fixed(V03, checks=Checks(limits=Limits(max_depth=1)))


def test_a_document_that_is_no_object_is_unchanged() -> None:
    assert fixed([1], dialect="a2a-1.0") == ([1], ())


# Many at once


def test_a_thousand_violations_need_only_a_few_validations(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[int] = []

    def counted(*arguments: Any, **named: Any) -> Any:
        calls.append(1)
        return violations_of(*arguments, **named)

    monkeypatch.setattr("cardwright.repair.rounds.violations_of", counted)
    before = {**V03, "skills": [{"name": f"Tide {number}"} for number in range(330)]}

    better, fixes = fixed(before)

    assert len(fixes) == 990
    assert Card.from_document(better).violations == ()
    assert len(calls) <= 4


def test_generated_ids_are_unique_among_many() -> None:
    before = {**V03, "skills": [changed(SKILL, {"id": GONE}) for _ in range(3)] + [SKILL]}

    better, _ = fixed(before)

    assert [skill["id"] for skill in better["skills"]] == ["tides-2", "tides-3", "tides-4", "tides"]


@pytest.mark.bulk
@pytest.mark.parametrize("count", [998, 1_001, 2_000])
def test_a_document_with_more_faults_than_are_listed_is_left_as_it_is(count: int) -> None:
    before = changed(V03, {"iconUrl": None, "defaultInputModes": ["text"] * count})
    better, fixes = fixed(before)
    rules = {violation.rule for violation in Card.from_document(before).violations}

    if count < 1_000:
        assert len(fixes) == count + 1
        assert "limits/violations" not in rules
    else:
        assert (better, fixes) == (before, ())
        assert "limits/violations" in rules


def test_no_more_violations_are_created_than_are_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    created: list[int] = []

    def counted(*arguments: Any, **named: Any) -> Any:
        created.append(1)
        return break_rule(*arguments, **named)

    monkeypatch.setattr("cardwright_runtime.engine.break_rule", counted)
    card = Card.from_document(changed(V03, {"defaultInputModes": ["text"] * 2_000}))

    assert len(created) <= 1_000
    assert len(card.violations) == 1_001


def test_validation_stops_when_both_severities_are_full(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []

    def counted(*arguments: Any) -> str:
        seen.append(_rule_id(*arguments))
        return seen[-1]

    monkeypatch.setattr("cardwright_runtime.engine._rule_id", counted)
    extensions = [{"uri": f"relative/{number}"} for number in range(300)]
    wrong = {"capabilities": {"extensions": extensions}, "defaultInputModes": ["text"] * 300}
    document = changed(V03, wrong)
    every = VALIDATOR.violations(document, {}, limit=100_000)
    severities = Counter(violation.severity for violation in every)
    assert min(severities["error"], severities["warning"]) >= 300
    walked, seen[:] = len(seen), []
    found = VALIDATOR.violations(document, {}, limit=3)

    assert len(found) == 4
    assert found[0].rule == "limits/violations"
    assert walked >= 600
    # All errors come first: they must be passed by, to find the first warnings.
    assert len(seen) == 303


@pytest.mark.bulk
def test_no_number_of_warnings_hides_an_error() -> None:
    warned = changed(V03, {"defaultInputModes": ["text"] * 2_000})
    wrong = changed(warned, {"url": "https://user:secret@example.com/"})

    assert Card.from_document(warned).valid
    assert not Card.from_document(wrong).valid
    assert {
        one.severity for one in Card.from_document(wrong).violations if one.rule == "limits/violations"
    } == {"error"}


def test_the_number_of_applied_fixes_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cardwright.repair.rounds.MAX_FIXES", 5)
    before = changed(V03, {"iconUrl": None, "defaultInputModes": ["text"] * 9})

    better, fixes = fixed(before)

    assert len(fixes) == 5
    assert len(Card.from_document(better).violations) == len(Card.from_document(before).violations) - 5


# Patches


def test_items_after_removed_ones_move_up() -> None:
    document = {"list": ["a", "b", "c", "d"], "old": {"inner": 1}}
    patches = [
        [{"op": "remove", "path": "/list/2"}],
        [{"op": "remove", "path": "/list/0"}],
        [{"op": "move", "from": "/old", "path": "/new"}],
    ]

    moves = Moves(document, patches)

    assert patched(document, patches) == {"list": ["b", "d"], "new": {"inner": 1}}
    assert [moves(("list", step)) for step in "0123"] == [None, ("list", "0"), None, ("list", "1")]
    assert moves(("old", "inner")) == ("new", "inner")
    assert moves(("other",)) == ("other",)


def test_an_operation_on_a_missing_target_is_an_error() -> None:
    with pytest.raises(LookupError):
        patched({"a": 1}, [[{"op": "remove", "path": "/b"}]])
