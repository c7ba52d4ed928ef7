"""A Python function as an agent: what it takes, what it returns, and where it is found."""

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

# A function that blocks holds one; more turns of the same agent wait (ours).
_THREADS: Final = 8
_NO_PIECE: Final = object()
_RETURNS: Final = "must return a text, bytes, a dict, a Part, a list of these, an Outcome or None, not {}"
_Takes = Literal["turn", "text", "data"]


def load_function(path: str) -> Callable[..., Any]:
    """Return what stands at `package.module:attribute`; the attribute may have dots.

    Raises:
        BadConfiguration: If the path has another form, nothing stands there, or what does cannot be called.
    """
    module_name, colon, attribute = path.partition(":")
    names = [*module_name.split("."), *attribute.split(".")]
    if not colon or not all(name.isidentifier() for name in names):
        raise BadConfiguration("", f"{quote(path)} is no function: name one as package.module:function")
    try:
        found: Any = import_module(module_name)
    except ModuleNotFoundError as error:
        missing = error.name or module_name
        raise BadConfiguration("", f"{quote(path)}: there is no module {quote(missing)}") from error
    except Exception as error:
        kind = type(error).__name__
        raise BadConfiguration("", f"{quote(path)}: importing the module raises {kind}") from error
    for name in attribute.split("."):
        try:
            found = getattr(found, name)
        except AttributeError:
            raise BadConfiguration("", f"{quote(path)}: the module has no {quote(attribute)}") from None
    if not callable(found):
        kind = type(found).__name__
        raise BadConfiguration("", f"{quote(path)} is of the type {kind}, and cannot be called")
    function: Callable[..., Any] = found
    return function


class FunctionBackend:
    """Answers turns by a Python function.

    Its first argument is the turn; where it is annotated `str`, the texts of the turn, joined by line feeds; where
    `dict`, the first object among its data. A second one, where there is one, is the `TurnReporter`: in a function that is
    not async its two methods are plain functions, too. What is not async runs in a thread, and cannot be stopped
    there: who cancels it does not wait for it.

    It returns a text, bytes, a dict, a `Part`, a list of these, an `TurnResult`, or None; or it yields them, each a
    piece of the result, and perhaps an `TurnResult` as the last.

    Raises:
        BadFunction: If it takes other arguments.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function
        self._name = str(getattr(function, "__qualname__", type(function).__name__))
        self._takes, self._tells = _signature(function, self._name)
        called = function if inspect.isroutine(function) else getattr(function, "__call__", function)  # noqa: B004 - an object that is called as a function
        unwrapped = function.func if isinstance(function, functools.partial) else called
        self._async = inspect.iscoroutinefunction(unwrapped) or inspect.isasyncgenfunction(unwrapped)
        self._threads: ThreadPoolExecutor | None = None

    async def ready(self) -> None:
        """Return at once: a function is always there."""

    async def check(self, turn: Turn) -> None:
        """Refuse a turn that has not what the function takes.

        Raises:
            BadTurn: If it has no text, or no object among its data.
        """
        self._argument(turn)

    async def run(self, turn: Turn, tell: TurnReporter) -> TurnResult:
        """Call the function; what it raises itself is let through.

        Raises:
            BadTurn: If the turn has not what it takes.
            BadFunction: If it returns what is no answer.
        """
        argument = self._argument(turn)
        told: Any = tell if self._async else _Waiting(tell, asyncio.get_running_loop())
        call = functools.partial(self._function, argument, *((told,) if self._tells else ()))
        returned: Any = call() if self._async else await self._threaded(call)
        if inspect.isawaitable(returned):
            returned = await returned
        if isinstance(returned, AsyncGenerator):
            return await self._gathered(returned, tell)
        if isinstance(returned, Generator):
            return await self._gathered(self._pieces(returned), tell)
        return self._outcome(returned)

    async def close(self) -> None:
        """Let the threads go; what runs in one of them runs on until it returns."""
        if self._threads is not None:
            self._threads.shutdown(wait=False, cancel_futures=True)
            self._threads = None

    def _argument(self, turn: Turn) -> Any:
        if self._takes == "turn":
            return turn
        if self._takes == "text":
            texts = [part.value for part in turn.parts if part.kind == "text"]
            if not texts:
                raise BadTurn("the agent takes text: send at least one part that is a text")
            return "\n".join(texts)
        objects = [part.value for part in turn.parts if part.kind == "data" and isinstance(part.value, dict)]
        if not objects:
            raise BadTurn("the agent takes data: send a part whose data is an object")
        return objects[0]

    async def _gathered(self, pieces: AsyncGenerator[Any, Any], tell: TurnReporter) -> TurnResult:
        try:
            async for piece in pieces:
                if isinstance(piece, TurnResult):
                    return piece
                await tell.parts(self._outcome(piece).parts)
        finally:
            await pieces.aclose()
        return TurnResult()

    async def _pieces(self, pieces: Generator[Any, Any, Any]) -> AsyncGenerator[Any]:
        """Yield what a generator does, each taken in a thread; what it returns is its last."""
        ended: list[Any] = []

        def following() -> Any:
            try:
                return next(pieces)
            except StopIteration as stop:
                ended.append(stop.value)
                return _NO_PIECE

        while (piece := await self._threaded(following)) is not _NO_PIECE:
            yield piece
        yield self._outcome(ended[0])

    def _threaded(self, call: Callable[[], Any]) -> asyncio.Future[Any]:
        if self._threads is None:
            self._threads = ThreadPoolExecutor(_THREADS, thread_name_prefix="cardwright-function")
        context = contextvars.copy_context()
        return asyncio.get_running_loop().run_in_executor(self._threads, context.run, call)

    def _outcome(self, returned: Any) -> TurnResult:
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


class _Waiting:
    """A `TurnReporter` for a thread: each call waits until the loop has told it."""

    def __init__(self, tell: TurnReporter, loop: asyncio.AbstractEventLoop) -> None:
        self._tell = tell
        self._loop = loop

    def progress(self, text: str = "", *, done: float | None = None, total: float | None = None) -> None:
        """Tell how far it is."""
        told = self._tell.progress(text, done=done, total=total)
        asyncio.run_coroutine_threadsafe(told, self._loop).result()

    def parts(self, parts: Sequence[Part]) -> None:
        """Tell a piece of the result."""
        asyncio.run_coroutine_threadsafe(self._tell.parts(parts), self._loop).result()


def _signature(function: Callable[..., Any], name: str) -> tuple[_Takes, bool]:
    """Return what a function takes, and whether it takes a `TurnReporter` beside it.

    Raises:
        BadFunction: If it takes other arguments.
    """
    wanted = "an agent's function takes the turn, and perhaps a Tell"
    try:
        signature = _evaluated(function)
        parameters = list(signature.parameters.values())
    except (TypeError, ValueError):
        raise BadFunction(name, f"its arguments cannot be seen: {wanted}") from None
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    taken = [one for one in parameters if one.kind in kinds]
    asked = [one for one in parameters if one.default is one.empty]
    named = [one for one in asked if one.kind is inspect.Parameter.KEYWORD_ONLY]
    if not taken or named or len([one for one in taken if one.default is one.empty]) > 2:
        raise BadFunction(name, f"it takes other arguments: {wanted}")
    return _taken(taken[0].annotation), len(taken) > 1 and (
        taken[1].default is taken[1].empty or taken[1].name == "tell"
    )


def _evaluated(function: Callable[..., Any]) -> inspect.Signature:
    try:
        return inspect.signature(function, eval_str=True)
    except NameError:
        # What is imported for type checkers only: the text of an annotation says enough.
        return inspect.signature(function)


def _taken(annotation: Any) -> _Takes:
    if annotation is str or annotation == "str":
        return "text"
    text = isinstance(annotation, str) and annotation.partition("[")[0] == "dict"
    return "data" if text or annotation is dict or get_origin(annotation) is dict else "turn"
