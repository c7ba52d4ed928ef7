"""Surface rules beyond the schema: root, children, cycles, catalogues."""

from __future__ import annotations

import pytest

from cardwright_beach.errors import BadPart
from cardwright_beach.parts import Part
from cardwright_beach.surfaces import BASIC_CATALOGUE, catalogues_of, same_catalogue, surface_violations
from tests.beach.surfaces.samples import Message, components, create, data, text

OTHER = "https://harbour.example.com/a2ui/catalog.json"
TAGGED = "https://a2ui.org/specification/v0_9/basic_catalog.json"


def column(*children: str, name: str = "root") -> Message:
    return {"id": name, "component": "Column", "children": list(children)}


def found(*messages: Message) -> list[tuple[str, str]]:
    return [(one.rule, one.pointer) for one in surface_violations(messages)]


def test_a_valid_surface_has_no_violation() -> None:
    assert found(create(), components(column("a")), components(text("a")), data("/x", value=1)) == []


def test_a_created_surface_without_a_root_is_named() -> None:
    assert found(create(), components(text("a"))) == [("surface/root", "/0/createSurface")]


def test_an_update_alone_needs_no_root() -> None:
    assert found(components(text("a"))) == []


def test_a_missing_child_is_reported() -> None:
    assert found(create(), components(column("a", "b"), text("a"))) == [
        ("surface/child", "/1/updateComponents/components/0/children/1")
    ]


@pytest.mark.parametrize(
    ("component", "pointer"),
    [
        ({"component": "Card", "child": "x"}, "/child"),
        ({"component": "Modal", "trigger": "root", "content": "x"}, "/content"),
        ({"component": "List", "children": {"componentId": "x", "path": "/a"}}, "/children/componentId"),
        ({"component": "Tabs", "tabs": [{"title": "T", "child": "x"}]}, "/tabs/0/child"),
        ({"component": "Button", "child": "x", "action": {"event": {"name": "e"}}}, "/child"),
    ],
)
def test_every_property_that_names_a_child_is_checked(component: Message, pointer: str) -> None:
    violations = found(create(), components({"id": "root", **component}))

    assert ("surface/child", f"/1/updateComponents/components/0{pointer}") in violations


def test_components_in_a_cycle_are_reported_and_not_those_leading_to_it() -> None:
    circle = [column("a"), column("b", name="a"), column("a", "c", name="b"), text("c")]

    assert found(create(), components(*circle)) == [
        ("surface/circle", "/1/updateComponents/components/1"),
        ("surface/circle", "/1/updateComponents/components/2"),
    ]


def test_a_duplicate_component_id_is_reported() -> None:
    assert ("surface/repeated-id", "/1/updateComponents/components/1/id") in found(
        create(), components(text(), text())
    )


@pytest.mark.parametrize("catalogue", [BASIC_CATALOGUE, TAGGED])
def test_a_basic_component_without_a_required_property_is_refused(catalogue: str) -> None:
    bad = [create(catalogue=catalogue), components({"id": "root", "component": "Text"})]

    with pytest.raises(
        BadPart, match=r"/data/1/updateComponents/components/0/text: .text. is required"
    ) as caught:
        Part.of({"partType": "a2ui-surface", "data": bad})

    assert caught.value.violations[0].spec == "A2UI 0.9, catalogs/basic/catalog.json"


def test_components_of_another_catalogue_need_only_id_and_component() -> None:
    assert found(create(catalogue=OTHER), components({"id": "root", "component": "Text", "words": 3})) == []
    assert found(create(catalogue=OTHER), components({"id": "root"})) == [
        ("envelope/required", "/1/updateComponents/components/0/component")
    ]


def test_surfaces_of_two_catalogues_are_validated_separately() -> None:
    odd: Message = {"id": "root", "component": "Text"}
    both = [create(), components(odd), create("quay", OTHER), components(odd, name="quay")]

    assert [pointer for _, pointer in found(*both)] == ["/1/updateComponents/components/0/text"]


@pytest.mark.parametrize(
    ("bad", "pointer"),
    [
        ([], "/data"),
        ({"version": "v0.9"}, "/data"),
        ([{"version": "v0.9"}], "/data/0"),
        ([{**create(), "version": "v0.8"}], "/data/0/version"),
        ([{**create(), "deleteSurface": {"surfaceId": "berths"}}], "/data/0"),
        ([{"version": "v0.9", "deleteSurface": {}}], "/data/0/deleteSurface/surfaceId"),
        ([components()], "/data/0/updateComponents/components"),
    ],
)
def test_a_part_without_messages_is_refused(bad: object, pointer: str) -> None:
    with pytest.raises(BadPart) as caught:
        Part.of({"partType": "a2ui-surface", "data": bad})

    assert pointer in {one.pointer for one in caught.value.violations}


def test_unknown_properties_are_kept() -> None:
    message = {**create(), "traceId": "t-1"}

    assert Part.of({"partType": "a2ui-surface", "data": [message]}).data == [message]


def test_the_basic_catalogue_has_two_ids() -> None:
    assert same_catalogue(BASIC_CATALOGUE, TAGGED)
    assert same_catalogue(f"{OTHER}#", OTHER)
    assert not same_catalogue(f"{OTHER}/", OTHER)
    assert not same_catalogue(BASIC_CATALOGUE, OTHER)


def test_catalogues_are_returned_by_surface() -> None:
    made = [create(), create("quay", OTHER), create(catalogue=OTHER), components(text())]

    assert catalogues_of(made) == {"berths": BASIC_CATALOGUE, "quay": OTHER}
