"""Registry of surface templates by kind of data (Beach protocol seed, Surface template registration)."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Final, TypeAlias, TypeVar, overload

from cardwright.canonical import checked_copy
from cardwright.errors import BadArgument, BadName, DuplicateEntry, MalformedDocument
from cardwright_beach.errors import BadPart, SurfaceFailed
from cardwright_beach.parts import Part
from cardwright_beach.sizes import check_size
from cardwright_beach.surfaces.approval import APPROVAL_KIND, approval_surface
from cardwright_beach.surfaces.checks import surface_violations
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
    """Context of a template call.

    Attributes:
        kind: The kind of the data.
        slot_key: The slot of the data, or None.
        surface_id: The surface id to use; unique to kind, slot and session.
    """

    kind: str
    slot_key: str | None
    surface_id: str


class SurfaceTemplates:
    """Surface templates of an application, by kind of data; the approval template is built in.

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
        # Kinds that the application has registered; each only once.
        self._own: set[str] = set()

    @overload
    def register_surface_template(self, kind: str, fn: Template) -> None: ...
    @overload
    def register_surface_template(self, kind: str) -> Callable[[_TemplateT], _TemplateT]: ...
    def register_surface_template(
        self, kind: str, fn: Template | None = None
    ) -> Callable[[_TemplateT], _TemplateT] | None:
        """Register a template; without a function, return a decorator.

        The built-in template of `approval-request` may be replaced once.

        Args:
            kind: The kind of data, the `dataKind` of the part.
            fn: Called with a copy of the data, and with a `SurfaceContext` if its second parameter has no default
                or is named `context`; returns one A2UI message or a list.

        Raises:
            BadName: If the kind is not a valid name.
            DuplicateEntry: If the application has already registered the kind.
            BadArgument: If the function cannot be called with these arguments.
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
        """Return whether there is a template for a kind of data."""
        return kind in self._templates

    def render(
        self, kind: str | None, data: Any, *, slot_key: str | None = None, scope: str = ""
    ) -> Part | None:
        """Render data as an `a2ui-surface` part; return None if no template matches.

        Args:
            kind: The kind of the data.
            data: The data; the template gets a copy.
            slot_key: The slot of the data.
            scope: Distinguishes surfaces of the same slot and kind, for example the session id.

        Raises:
            SurfaceFailed: If the template raises, or returns invalid messages.
        """
        if kind is None or kind not in self._templates:
            return None
        context = SurfaceContext(kind, slot_key, _surface_id(kind, slot_key, scope))
        result = _rendered(self._templates[kind], data, context)
        messages = result if isinstance(result, list) else [result]
        try:
            check_size(messages, PART_LIMITS)
            messages = checked_copy(messages, PART_LIMITS)
        except MalformedDocument as error:
            violation = Violation(error.rule, "error", error.pointer, error.reason, "project decision")
            raise SurfaceFailed(kind, "returned an invalid surface", [violation]) from None
        violations = surface_violations(messages)
        if violations:
            raise SurfaceFailed(kind, "returned an invalid surface", violations)
        return _part(kind, messages, slot_key)

    def _decorator(self, kind: str) -> Callable[[_TemplateT], _TemplateT]:
        def register(fn: _TemplateT) -> _TemplateT:
            self.register_surface_template(kind, fn)
            return fn

        return register


def _rendered(template: Template, data: Any, context: SurfaceContext) -> Any:
    try:
        check_size(data, PART_LIMITS)
        data_copy = checked_copy(data, PART_LIMITS)
    except MalformedDocument as error:
        raise SurfaceFailed(context.kind, f"was not called, because the data is not valid: {error}") from None
    try:
        return template(data_copy, context)
    except Exception as error:
        reason = f"raised {type(error).__name__}"
        raise SurfaceFailed(context.kind, reason) from error


def _part(kind: str, messages: list[Any], slot_key: str | None) -> Part:
    stamps = {"slotKey": slot_key} if slot_key is not None else {}
    # A2UI reads the media type from the metadata, A2A 1.0 from a field of the part.
    metadata = {"partType": "a2ui-surface", "mimeType": MEDIA_TYPE, "dataKind": kind, **stamps}
    try:
        return Part.of({"data": messages, "mediaType": MEDIA_TYPE, "metadata": metadata})
    except BadPart as error:
        raise SurfaceFailed(kind, "returned an invalid part", error.violations) from None


def _surface_id(kind: str, slot_key: str | None, scope: str) -> str:
    # Length prefixes distinguish ("a.b", "c") from ("a", "b.c").
    name = "".join(f"{len(text)}:{text}" for text in (scope, kind, slot_key or ""))
    digest = sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:16]
    return f"{kind}-{digest}"


def _with_context(fn: Callable[..., Any]) -> Template:
    """Return a template as a function of two parameters.

    Raises:
        BadArgument: If it cannot be called with the data, or is asynchronous.
    """
    if not callable(fn) or inspect.iscoroutinefunction(fn):
        raise BadArgument("fn", "must be a plain (not async) function of the data")
    try:
        signature = inspect.signature(fn)
    except (TypeError, ValueError):
        return lambda data, _context: fn(data)
    if _takes(signature, 2) and _wants_context(signature):
        return fn
    if _takes(signature, 1):
        return lambda data, _context: fn(data)
    raise BadArgument("fn", "must accept the data, and optionally a context")


def _takes(signature: inspect.Signature, count: int) -> bool:
    try:
        signature.bind(*[None] * count)
    except TypeError:
        return False
    return True


def _wants_context(signature: inspect.Signature) -> bool:
    """Return whether the second parameter is for the context, and not an option of the template."""
    second = list(signature.parameters.values())[1:2]
    return any(parameter.default is parameter.empty or parameter.name == "context" for parameter in second)
