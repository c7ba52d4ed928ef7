"""The alternative of a union (`anyOf`, `oneOf`) that a document means, so that its errors can be reported."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from jsonschema_rs import ValidationError

    Arm = Sequence[ValidationError]

UNIONS: Final = ("anyOf", "oneOf")


def is_union(error: ValidationError) -> bool:
    """Return whether an error is one of a union."""
    return error.kind.name in UNIONS


def explainable(errors: Sequence[ValidationError]) -> Iterator[ValidationError]:
    """Yield the errors to report: those of the alternative that a document means, and no union error that only repeats one.

    A schema may have `properties` beside `oneOf`: an error of the value or inside a property is the precise one.
    """
    explained: set[tuple[str | int, ...]] = set()
    for error in errors:
        path = tuple(error.instance_path)
        explained.update(path[:length] for length in range(len(path)))
        if not is_union(error):
            explained.add(path)
    for error in errors:
        if not (is_union(error) and tuple(error.instance_path) in explained):
            yield from _causes(error)


def _causes(error: ValidationError) -> list[ValidationError]:
    """Return the errors of the alternative that the document means; the error itself if none stands out."""
    if not is_union(error):
        return [error]
    return [cause for inner in _meant(error) for cause in _causes(inner)] or [error]


def alternatives(error: ValidationError) -> list[Arm]:
    """Return the errors of each alternative that the value could mean: a value that is not null does not mean null."""
    kind: Any = error.kind
    return [arm for arm in kind.value if error.instance is None or not _only_null(arm)]


def names_required(error: ValidationError) -> list[str]:
    """Return the field that each alternative lacks, if all lack one, and each another; else nothing."""
    names = [_required(arm, error) for arm in alternatives(error)]
    first = [next(iter(fields), "") for fields in names]
    return first if all(first) and len(set(first)) == len(first) else []


def constants(error: ValidationError) -> list[ValidationError]:
    """Return the errors of the constant field that tells the alternatives apart, if its value fits none of them."""
    outer = len(error.instance_path)
    found = [
        [one for one in arm if _is_constant(one) and len(one.instance_path) == outer + 1]
        for arm in alternatives(error)
    ]
    paths = {tuple(one.instance_path) for arm in found for one in arm}
    return [arm[0] for arm in found] if all(found) and len(paths) == 1 else []


def _meant(error: ValidationError) -> Arm:
    arms = alternatives(error)
    if not all(arms) or constants(error):
        # More than one alternative fits, or none is named.
        return []
    outer = len(error.instance_path)
    choices = (
        arms,
        [arm for arm in arms if not any(map(_is_constant, arm))],
        [arm for arm in arms if all(len(one.instance_path) > outer for one in arm)],
    )
    for fitting in choices:
        if len(fitting) == 1:
            return fitting[0]
    # What each alternative says, such as a missing `type`, is true whichever is meant.
    return (
        [one for one in arms[0] if all(any(_same(one, other) for other in arm) for arm in arms)]
        if arms
        else []
    )


def _required(arm: Arm, union: ValidationError) -> set[str]:
    """Return the missing fields of the value itself, in one alternative."""
    outer = list(union.instance_path)
    return {
        str(_value(one)) for one in arm if one.kind.name == "required" and list(one.instance_path) == outer
    }


def _same(one: ValidationError, other: ValidationError) -> bool:
    return (one.kind.name, _value(one), one.instance_path) == (
        other.kind.name,
        _value(other),
        other.instance_path,
    )


def _only_null(arm: Arm) -> bool:
    return bool(arm) and all(one.kind.name == "type" and list(_value(one)) == ["null"] for one in arm)


def _is_constant(error: ValidationError) -> bool:
    return error.kind.name == "const"


def _value(error: ValidationError) -> Any:
    kind: Any = error.kind
    return kind.value
