"""Which template makes the surface of which kind of data (Beach protocol seed, Surface template registration)."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Final, TypeAlias, TypeVar, overload

from cardwright.canonical import copied
from cardwright.errors import BadArgument, BadName, DuplicateEntry, MalformedDocument
from cardwright_beach.errors import BadPart, SurfaceFailed
from cardwright_beach.parts import Part
from cardwright_beach.sizes import check_size
from cardwright_beach.surfaces.approval import APPROVAL_KIND, approval_surface
from cardwright_beach.surfaces.soundness import surface_violations
from cardwright_beach.validate import PART_LIMITS
from cardwright_runtime.violation import Violation

# A2UI 0.9, a2ui_extension_specification.md, Data encoding.
MEDIA_TYPE: Final = "application/json+a2ui"
Template: TypeAlias = Callable[..., "Mapping[str, Any] | list[Any]"]
_TemplateT = TypeVar("_TemplateT", bound=Callable[..., Any])
_WORDS: Final = "surface templates"
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,127}\Z")
_EXPECTED: Final = "letters, digits, '.', '_' and '-', at most 128, beginning with a letter or digit"


@dataclass(frozen=True, slots=True)
class SurfaceContext:
    """What a template is told beside the data.

    Attributes:
        kind: The kind of the data.
        slot_key: The place that the data fill, or None.
        surface_id: An id for its surface: always the same for this place, and no other's.
    """

    kind: str
    slot_key: str | None
    surface_id: str


class SurfaceTemplates:
    """The templates of an application, by kind of data; that of approval requests is there already.

    >>> from cardwright_beach.surfaces import BASIC_CATALOGUE
    >>> templates = SurfaceTemplates()
    >>> @templates.register_surface_template("berth-list")
    ... def berths(data, context):
    ...     text = {"id": "root", "component": "Text", "text": f"{len(data)} berths are free."}
    ...     surface = {"surfaceId": context.surface_id}
    ...     return [
    ...         {"version": "v0.9", "createSurface": {**surface, "catalogId": BASIC_CATALOGUE}},
    ...         {"version": "v0.9", "updateComponents": {**surface, "components": [text]}},
    ...     ]
    >>> templates.render("berth-list", [{"name": "N4"}], slot_key="harbour.berths").type
    'a2ui-surface'
    """

    __slots__ = ("_own", "_templates")

    def __init__(self) -> None:
        self._templates: dict[str, Template] = {APPROVAL_KIND: approval_surface}
        # What the application has registered itself, and so may not register again.
        self._own: set[str] = set()

    @overload
    def register_surface_template(self, kind: str, fn: Template) -> None: ...
    @overload
    def register_surface_template(self, kind: str) -> Callable[[_TemplateT], _TemplateT]: ...
    def register_surface_template(
        self, kind: str, fn: Template | None = None
    ) -> Callable[[_TemplateT], _TemplateT] | None:
        """Add a template; without a function, return a decorator that does.

        The template of `approval-request` that is built in may be overridden, once.

        Args:
            kind: The kind of data, as the part's `dataKind` says it.
            fn: Called with a copy of the data, and with a `SurfaceContext` where its second parameter has no
                default or is named `context`; it returns A2UI messages, or one.

        Raises:
            BadName: If the kind is no name.
            DuplicateEntry: If the application has registered it already.
            BadArgument: If it is no function that can be called so. Nothing has changed in any case.
        """
        if fn is None:
            return self._decorator(kind)
        if not isinstance(kind, str) or not _NAME.match(kind):
            raise BadName(_WORDS, kind, _EXPECTED)
        if kind in self._own:
            raise DuplicateEntry(_WORDS, kind)
        self._templates[kind] = _with_context(fn)
        self._own.add(kind)
        return None

    def has(self, kind: str | None) -> bool:
        """Whether there is a template for a kind of data."""
        return kind in self._templates

    def render(
        self,
        kind: str | None,
        data: Any,
        *,
        slot_key: str | None = None,
        scope: str = "",
    ) -> Part | None:
        """Return the `a2ui-surface` part that shows data; None where no template matches.

        Args:
            kind: The kind of the data.
            data: The data; the template has a copy.
            slot_key: The place that they fill.
            scope: What tells the place apart from others of its name and kind, such as the session.

        Raises:
            SurfaceFailed: If the template raises, or makes what is no surface.
        """
        if kind is None or kind not in self._templates:
            return None
        context = SurfaceContext(kind, slot_key, _surface_id(kind, slot_key, scope))
        made = _made(self._templates[kind], data, context)
        messages = made if isinstance(made, list) else [made]
        try:
            check_size(messages, PART_LIMITS)
            messages = copied(messages, PART_LIMITS)
        except MalformedDocument as error:
            found = Violation(error.rule, "error", error.pointer, error.reason, "ours")
            raise SurfaceFailed(kind, "makes no surface", [found]) from None
        found_all = surface_violations(messages)
        if found_all:
            raise SurfaceFailed(kind, "makes no surface", found_all)
        return _part(kind, messages, slot_key)

    def _decorator(self, kind: str) -> Callable[[_TemplateT], _TemplateT]:
        def register(fn: _TemplateT) -> _TemplateT:
            self.register_surface_template(kind, fn)
            return fn

        return register


def _made(template: Template, data: Any, context: SurfaceContext) -> Any:
    try:
        check_size(data, PART_LIMITS)
        own = copied(data, PART_LIMITS)
    except MalformedDocument as error:
        raise SurfaceFailed(context.kind, f"cannot be asked: {error}") from None
    try:
        return template(own, context)
    except Exception as error:
        reason = f"raised {type(error).__name__}"
        raise SurfaceFailed(context.kind, reason) from error


def _part(kind: str, messages: list[Any], slot_key: str | None) -> Part:
    stamps = {"slotKey": slot_key} if slot_key is not None else {}
    # A2UI knows its parts by the type in the metadata, A2A 1.0 by a member of the part.
    metadata = {"partType": "a2ui-surface", "mimeType": MEDIA_TYPE, "dataKind": kind, **stamps}
    try:
        return Part.of({"data": messages, "mediaType": MEDIA_TYPE, "metadata": metadata})
    except BadPart as error:
        raise SurfaceFailed(kind, "makes no part", error.violations) from None


def _surface_id(kind: str, slot_key: str | None, scope: str) -> str:
    # Lengths keep apart what joined text would not: ("a.b", "c") and ("a", "b.c").
    told = "".join(f"{len(one)}:{one}" for one in (scope, kind, slot_key or ""))
    digest = sha256(told.encode("utf-8", "surrogatepass")).hexdigest()[:16]
    return f"{kind}-{digest}"


def _with_context(fn: Callable[..., Any]) -> Template:
    """Return a template as one of two parameters.

    Raises:
        BadArgument: If it cannot be called with data, or waits for something.
    """
    if not callable(fn) or inspect.iscoroutinefunction(fn):
        raise BadArgument("fn", "a surface template is a plain function of the data")
    try:
        signature = inspect.signature(fn)
    except (TypeError, ValueError):
        return lambda data, _context: fn(data)
    if _takes(signature, 2) and _wants_context(signature):
        return fn
    if _takes(signature, 1):
        return lambda data, _context: fn(data)
    raise BadArgument("fn", "a surface template takes the data, and a context if it wants one")


def _takes(signature: inspect.Signature, count: int) -> bool:
    try:
        signature.bind(*[None] * count)
    except TypeError:
        return False
    return True


def _wants_context(signature: inspect.Signature) -> bool:
    """Whether the second parameter is meant for the context, and no setting of the template's own."""
    second = list(signature.parameters.values())[1:2]
    return any(one.default is one.empty or one.name == "context" for one in second)
