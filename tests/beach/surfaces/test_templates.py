"""Surface templates: registration, rendering, validation of the result."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardwright.errors import BadArgument, BadName, DuplicateEntry
from cardwright_beach.errors import SurfaceFailed
from cardwright_beach.surfaces import SurfaceContext, SurfaceTemplates
from tests.beach.surfaces.samples import Message, components, create, data, text

REQUEST: dict[str, Any] = {
    "approvalId": "7c2vq0hx4d9e",
    "toolName": "book_berth",
    "toolCallId": "call_81",
    "args": {"berth": "N4", "nights": 2},
    "handler": "harbour-desk",
    "turn": "evt-204",
    "session": "s-19",
    "expiresAt": "2026-05-04T07:00:00Z",
}


# JSON documents here contain no NUL and no lone surrogates.
TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=8)


def berths(_data: Any, context: SurfaceContext) -> list[Message]:
    name = context.surface_id
    return [create(name), components(text(), name=name)]


def made_by(fn: Any, value: Any = None, **settings: Any) -> Any:
    templates = SurfaceTemplates()
    templates.register_surface_template("berth-list", fn)
    return templates.render("berth-list", value, **settings)


def approval_texts(**changed: Any) -> list[str]:
    part = SurfaceTemplates().render("approval-request", {**REQUEST, **changed})
    assert part is not None
    listed = part.data[1]["updateComponents"]["components"]
    return [one["text"] for one in listed if one["component"] == "Text"]


def test_a_template_result_becomes_a_surface_part_in_the_slot_of_the_data() -> None:
    part = made_by(berths, slot_key="harbour.berths")

    assert part.document["mediaType"] == "application/json+a2ui"
    assert part.metadata == {
        "partType": "a2ui-surface",
        "mimeType": "application/json+a2ui",
        "dataKind": "berth-list",
        "slotKey": "harbour.berths",
    }


def test_a_single_message_becomes_a_list() -> None:
    assert made_by(lambda _: data(value=[1])).data == [data(value=[1])]


def test_a_kind_without_template_has_no_surface() -> None:
    templates = SurfaceTemplates()

    assert templates.render("berth-list", {}) is None
    assert templates.render(None, {}) is None
    assert not templates.has("berth-list")


def test_a_surface_id_is_stable_and_unique_per_slot() -> None:
    def surface_id(slot: str | None, scope: str) -> str:
        part = made_by(berths, slot_key=slot, scope=scope)
        return str(part.data[0]["createSurface"]["surfaceId"])

    assert surface_id("a", "s-1") == surface_id("a", "s-1")
    places = [
        ("a", "s-1"), ("b", "s-1"), ("a", "s-2"), (None, "s-1"), ("s-1", "a"), ("a1:b", ""), ("a", "1:b"),
    ]  # fmt: skip
    assert len({surface_id(*place) for place in places}) == len(places)


def test_a_second_template_of_a_kind_is_refused_and_changes_nothing() -> None:
    templates = SurfaceTemplates()
    templates.register_surface_template("berth-list", berths)

    with pytest.raises(DuplicateEntry, match="surface templates"):
        templates.register_surface_template("berth-list", lambda _: data())

    part = templates.render("berth-list", {})
    assert part is not None
    assert "createSurface" in part.data[0]


def test_the_approval_template_is_overridden_once() -> None:
    templates = SurfaceTemplates()
    templates.register_surface_template("approval-request", berths)

    part = templates.render("approval-request", REQUEST)
    assert part is not None
    assert not part.data[0]["createSurface"]["surfaceId"].startswith("approval-7c2")
    with pytest.raises(DuplicateEntry):
        templates.register_surface_template("approval-request", berths)


def test_registries_are_independent() -> None:
    made_by(berths)

    assert not SurfaceTemplates().has("berth-list")


@pytest.mark.parametrize("name", ["", ".x", "a b", "x" * 129, "a\n", None, 3])
def test_an_invalid_kind_is_refused(name: Any) -> None:
    with pytest.raises(BadName):
        SurfaceTemplates().register_surface_template(name, berths)


async def waits(_data: Any) -> list[Message]:
    return []


def asks_nothing() -> Message:
    return data()


def asks_for_three(_data: Any, _context: Any, _more: Any) -> Message:
    return data()


@pytest.mark.parametrize("fn", [3, waits, asks_nothing, asks_for_three])
def test_a_function_that_cannot_be_called_with_data_is_refused(fn: Any) -> None:
    with pytest.raises(BadArgument, match="fn"):
        SurfaceTemplates().register_surface_template("berth-list", fn)


def test_an_optional_parameter_of_a_template_is_not_the_context() -> None:
    seen: list[Any] = []

    def template(_data: Any, currency: str = "EUR") -> Message:
        seen.append(currency)
        return data(value=1)

    made_by(template)

    assert seen == ["EUR"]


def test_an_exception_of_a_template_names_the_kind_and_is_not_quoted() -> None:
    def template(_data: Any) -> Message:
        raise RuntimeError("secret-of-a-guest")

    with pytest.raises(SurfaceFailed, match='"berth-list" raised RuntimeError') as caught:
        made_by(template)

    assert "secret-of-a-guest" not in str(caught.value)
    assert isinstance(caught.value.__cause__, RuntimeError)


@pytest.mark.parametrize(
    ("made", "pointer"),
    [
        (None, "/0"), ([], ""), ([create()], "/0/createSurface"), ([{"version": "v0.9"}], "/0"),
        ([data(value={1, 2})], "/0/updateDataModel/value"), ({1, 2}, "/0"), (object(), "/0"), (b"x", "/0"),
        ([{1: 2}], "/0"), ([{"version": "v0.9", 3: {}}], "/0"), ((one for one in [create()]), "/0"),
        ([data(value=float("nan"))], "/0/updateDataModel/value"), ([data(value="\ud800")], "/0/updateDataModel/value"),
    ],
)  # fmt: skip
def test_an_invalid_surface_is_reported_with_kind_and_pointer(made: Any, pointer: str) -> None:
    with pytest.raises(SurfaceFailed, match="berth-list") as caught:
        made_by(lambda _: made)

    assert any(one.pointer.endswith(pointer) for one in caught.value.violations)


def test_a_cyclic_surface_is_refused() -> None:
    endless: list[Any] = []
    endless.append(endless)

    with pytest.raises(SurfaceFailed, match="contains itself"):
        made_by(lambda _: endless)


def test_a_template_cannot_change_the_data() -> None:
    value = {"berths": [1]}
    before = copy.deepcopy(value)

    def template(given: Any) -> Message:
        given["berths"].clear()
        return data(value=given)

    made_by(template, value)

    assert value == before


def test_both_approval_buttons_carry_the_id() -> None:
    part = SurfaceTemplates().render("approval-request", REQUEST)

    assert part is not None
    listed = part.data[1]["updateComponents"]["components"]
    events = [one["action"]["event"] for one in listed if one["component"] == "Button"]
    assert events == [
        {"name": "approval.respond", "context": {"approvalId": "7c2vq0hx4d9e", "decision": decision}}
        for decision in ("granted", "denied")
    ]
    assert {one["component"] for one in listed} == {"Card", "Column", "Row", "Text", "Button"}
    assert part.data[0]["createSurface"]["surfaceId"] == "approval-7c2vq0hx4d9e"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | st.floats(-1e9, 1e9) | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=8,
)


@given(TEXT.filter(bool), TEXT, st.dictionaries(TEXT, JSON, max_size=25))
def test_every_approval_request_has_a_valid_surface_with_printable_texts(
    approval_id: str, tool: str, args: dict[str, Any]
) -> None:
    request = {**REQUEST, "approvalId": approval_id, "toolName": tool, "args": args}

    part = SurfaceTemplates().render("approval-request", request)

    assert part is not None
    listed = part.data[1]["updateComponents"]["components"]
    contexts = [one["action"]["event"]["context"] for one in listed if one["component"] == "Button"]
    assert [one["approvalId"] for one in contexts] == [approval_id, approval_id]
    assert all(one["text"].isprintable() for one in listed if one["component"] == "Text")


def test_an_approval_surface_shows_tool_arguments_and_expiry() -> None:
    assert approval_texts() == [
        "Approval needed",
        "Tool: book_berth",
        "Requested by: harbour-desk",
        "Argument berth: N4",
        "Argument nights: 2",
        "Respond by 2026-05-04T07:00:00Z; without a response the request is denied.",
        "Approve",
        "Deny",
    ]


def test_an_approval_surface_escapes_markdown_and_invisible_characters() -> None:
    texts = approval_texts(args={"note": "**no** [x](http://e.example) `c` <b>\n# big \u202e"})

    assert texts[3] == (r"Argument note: \*\*no\*\* \[x\](http://e.example) \`c\` \<b\>\\u{a}# big \\u{202e}")


def test_an_approval_surface_says_how_much_it_leaves_out() -> None:
    texts = approval_texts(args={"text": "x" * 1_000, **{f"n{number}": number for number in range(30)}})

    assert texts[3].endswith("… (700 more characters)")
    assert "and 11 more arguments" in texts


def test_an_argument_cannot_be_mistaken_for_the_tool_name() -> None:
    assert [one for one in approval_texts(args={"Tool": "harmless"}) if one.startswith("Tool:")] == [
        "Tool: book_berth"
    ]
