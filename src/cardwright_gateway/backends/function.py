"""Backend for a Python function: how to load it, its parameters and its return values."""

from __future__ import annotations

import asyncio
import contextvars
import functools
import inspect
from collections.abc import AsyncGenerator, Callable, Generator, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, Literal, get_origin

from cardwright.discovery.calling.parts import Part
from cardwright.errors import BadArgument, BadConfiguration, BadFunction
from cardwright_gateway.backends.backend import TurnResult
from cardwright_gateway.errors import BadTurn
from cardwright_runtime.violation import quote

if TYPE_CHECKING:
    from cardwright_gateway.backends.backend import Turn, TurnReporter

# Threads of one agent; further turns of a blocking function wait (project decision).
_THREADS: Final = 8
_END: Final = object()
_RETURNS: Final = "must return str, bytes, dict, Part, a list of these, TurnResult or None, not {}"
_Takes = Literal["turn", "text", "data"]


def load_function(path: str) -> Callable[..., Any]:
    """Return the callable at `package.module:attribute`; the attribute may have dots.

    Raises:
        BadConfiguration: If the path has another form, does not exist, or is not callable.
    """
    module_name, colon, attribute = path.partition(":")
    names = [*module_name.split("."), *attribute.split(".")]
    if not colon or not all(name.isidentifier() for name in names):
        raise BadConfiguration("", f"{quote(path)} is not a function path; write package.module:function")
    try:
        target: Any = import_module(module_name)
    except ModuleNotFoundError as error:
        missing = error.name or module_name
        raise BadConfiguration("", f"{quote(path)}: module {quote(missing)} not found") from error
    except (Exception, SystemExit) as error:
        # A module that exits would end a gateway that runs, when the file is read again.
        kind = type(error).__name__
        raise BadConfiguration("", f"{quote(path)}: importing the module raises {kind}") from error
    for name in attribute.split("."):
        try:
            target = getattr(target, name)
        except AttributeError:
            raise BadConfiguration("", f"{quote(path)}: the module has no {quote(attribute)}") from None
    if not callable(target):
        kind = type(target).__name__
        raise BadConfiguration("", f"{quote(path)} is not callable; its type is {kind}")
    function: Callable[..., Any] = target
    return function


class FunctionBackend:
    """Backend that calls a Python function.

    The first parameter is the `Turn`. Annotated `str`, it gets the text parts joined by line feeds; annotated `dict`,
    the first JSON object of the data parts. An optional second parameter is the `TurnReporter`; in a function that is
    not async, its two methods are plain functions. A function that is not async runs in a thread and cannot be
    stopped there: cancelling does not wait for it.

    It returns str, bytes, dict, `Part`, a list of these, `TurnResult` or None. A generator yields these as chunks of
    the result; a `TurnResult` ends it. If its annotation excludes a `TurnResult`, its tasks are created at once.

    Raises:
        BadFunction: If it has other parameters.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function
        self._name = str(getattr(function, "__qualname__", type(function).__name__))
        self._takes, self._reports = _signature(function, self._name)
        self._responds_alone = _may_return_result(function)
        called = function if inspect.isroutine(function) else getattr(function, "__call__", function)  # noqa: B004 - a callable object
        unwrapped = function.func if isinstance(function, functools.partial) else called
        self._async = inspect.iscoroutinefunction(unwrapped) or inspect.isasyncgenfunction(unwrapped)
        self._threads: ThreadPoolExecutor | None = None

    @property
    def responds_alone(self) -> bool:
        """Whether it may return a `TurnResult`, which may be `alone`."""
        return self._responds_alone

    async def ready(self) -> None:
        """Return at once: a function is always ready."""

    async def check(self, turn: Turn) -> None:
        """Reject a turn that lacks what the function's first parameter needs.

        Raises:
            BadTurn: If it has no text part, or no JSON object in a data part.
        """
        self._argument(turn)

    async def run(self, turn: Turn, reporter: TurnReporter) -> TurnResult:
        """Call the function; its own exceptions propagate.

        Raises:
            BadTurn: If the turn lacks what the first parameter needs.
            BadFunction: If it returns a value of another type.
        """
        argument = self._argument(turn)
        given: Any = reporter if self._async else _BlockingReporter(reporter, asyncio.get_running_loop())
        call = functools.partial(self._function, argument, *((given,) if self._reports else ()))
        returned: Any = call() if self._async else await self._threaded(call)
        if inspect.isawaitable(returned):
            returned = await returned
        if isinstance(returned, AsyncGenerator):
            return await self._collect(returned, reporter)
        if isinstance(returned, Generator):
            return await self._collect(self._chunks(returned), reporter)
        return self._result(returned)

    async def close(self) -> None:
        """Shut down the threads; a running function continues until it returns."""
        if self._threads is not None:
            self._threads.shutdown(wait=False, cancel_futures=True)
            self._threads = None

    def _argument(self, turn: Turn) -> Any:
        if self._takes == "turn":
            return turn
        if self._takes == "text":
            texts = [part.value for part in turn.parts if part.kind == "text"]
            if not texts:
                raise BadTurn("the agent needs text: send at least one text part")
            return "\n".join(texts)
        objects = [part.value for part in turn.parts if part.kind == "data" and isinstance(part.value, dict)]
        if not objects:
            raise BadTurn("the agent needs data: send a data part that is a JSON object")
        return objects[0]

    async def _collect(self, chunks: AsyncGenerator[Any, Any], reporter: TurnReporter) -> TurnResult:
        try:
            async for chunk in chunks:
                if isinstance(chunk, TurnResult):
                    return chunk
                await reporter.parts(self._result(chunk).parts)
        finally:
            await chunks.aclose()
        return TurnResult()

    async def _chunks(self, chunks: Generator[Any, Any, Any]) -> AsyncGenerator[Any]:
        """Yield what a generator yields, running each step in a thread, and last its return value."""
        returned: list[Any] = []

        def next_chunk() -> Any:
            try:
                return next(chunks)
            except StopIteration as stop:
                returned.append(stop.value)
                return _END

        while (chunk := await self._threaded(next_chunk)) is not _END:
            yield chunk
        yield self._result(returned[0])

    def _threaded(self, call: Callable[[], Any]) -> asyncio.Future[Any]:
        if self._threads is None:
            self._threads = ThreadPoolExecutor(_THREADS, thread_name_prefix="cardwright-function")
        context = contextvars.copy_context()
        return asyncio.get_running_loop().run_in_executor(self._threads, context.run, call)

    def _result(self, returned: Any) -> TurnResult:
        if isinstance(returned, TurnResult):
            return returned
        if returned is None:
            return TurnResult()
        values: Iterable[Any] = returned if isinstance(returned, (list, tuple)) else (returned,)
        try:
            return TurnResult(tuple(Part.of(value) for value in values))
        except BadArgument:
            kinds = ", ".join(dict.fromkeys(type(value).__name__ for value in values))
            raise BadFunction(self._name, _RETURNS.format(kinds)) from None


class _BlockingReporter:
    """`TurnReporter` for a thread: each call waits until the event loop has reported it."""

    def __init__(self, reporter: TurnReporter, loop: asyncio.AbstractEventLoop) -> None:
        self._reporter = reporter
        self._loop = loop

    def progress(self, text: str = "", *, done: float | None = None, total: float | None = None) -> None:
        """Report progress."""
        report = self._reporter.progress(text, done=done, total=total)
        asyncio.run_coroutine_threadsafe(report, self._loop).result()

    def parts(self, parts: Sequence[Part]) -> None:
        """Report a chunk of the result."""
        asyncio.run_coroutine_threadsafe(self._reporter.parts(parts), self._loop).result()


def _signature(function: Callable[..., Any], name: str) -> tuple[_Takes, bool]:
    """Return what the first parameter takes, and whether there is a second one for a `TurnReporter`.

    Raises:
        BadFunction: If it has other parameters.
    """
    wanted = "an agent's function takes a turn and optionally a TurnReporter"
    try:
        signature = _signature_of(function)
        parameters = list(signature.parameters.values())
    except (TypeError, ValueError):
        raise BadFunction(name, f"its signature cannot be read: {wanted}") from None
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    positional = [parameter for parameter in parameters if parameter.kind in kinds]
    required = [parameter for parameter in parameters if parameter.default is parameter.empty]
    keyword_only = [parameter for parameter in required if parameter.kind is inspect.Parameter.KEYWORD_ONLY]
    if (
        not positional
        or keyword_only
        or len([parameter for parameter in positional if parameter.default is parameter.empty]) > 2
    ):
        raise BadFunction(name, "wrong parameters; expected (turn) or (turn, reporter)")
    return _parameter_kind(positional[0].annotation), len(positional) > 1 and (
        positional[1].default is positional[1].empty or positional[1].name in ("reporter", "tell")
    )


def _signature_of(function: Callable[..., Any]) -> inspect.Signature:
    try:
        return inspect.signature(function, eval_str=True)
    except NameError:
        # A name imported only for type checkers: the annotation's text is enough.
        return inspect.signature(function)


def _may_return_result(function: Callable[..., Any]) -> bool:
    annotation = _signature_of(function).return_annotation
    # Also in a union, or in what a generator yields.
    return annotation is inspect.Signature.empty or any(
        name in str(annotation) for name in (TurnResult.__name__, "Any")
    )


def _parameter_kind(annotation: Any) -> _Takes:
    if annotation is str or annotation == "str":
        return "text"
    text = isinstance(annotation, str) and annotation.partition("[")[0] == "dict"
    return "data" if text or annotation is dict or get_origin(annotation) is dict else "turn"
