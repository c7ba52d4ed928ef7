"""Running the cases of a kit through a program, in several processes, and the report of it."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from cardwright.conformance.comparison import answer_fault
from cardwright.conformance.exchanges import server_fault
from cardwright.conformance.program import Description, Program, ProgramFailed

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cardwright.conformance.kit import Case

Outcome: TypeAlias = Literal["passed", "failed", "unsupported", "error"]
OUTCOMES: Final[tuple[Outcome, ...]] = ("passed", "failed", "unsupported", "error")


@dataclass(frozen=True, slots=True)
class Result:
    """What became of one case.

    Attributes:
        case: The case.
        outcome: `passed`, `failed` (a wrong answer), `unsupported` (the program says that it cannot), or `error` (no answer).
        reason: Why it did not pass; "" if it did.
    """

    case: Case
    outcome: Outcome
    reason: str = ""

    @property
    def bad(self) -> bool:
        """Whether the implementation was wrong or gave no answer."""
        return self.outcome in ("failed", "error")


@dataclass(frozen=True, slots=True)
class Report:
    """The results of one program, sorted by the ids of their cases.

    Attributes:
        kit: The version of the kit.
        program: The implementation, as the program states it.
        results: A result for each case.
    """

    kit: str
    program: Description
    results: tuple[Result, ...]

    def count(self, outcome: Outcome, *, operation: str = "", level: str = "") -> int:
        """Return how many cases had an outcome, of all or of one operation and level."""
        return sum(
            one.outcome == outcome
            and (not operation or one.case.operation == operation)
            and (not level or one.case.level == level)
            for one in self.results
        )


def run(
    command: Sequence[str],
    cases: Sequence[Case],
    *,
    kit: str = "",
    jobs: int = 1,
    seconds: float = 10.0,
    progress: Callable[[], object] = lambda: None,
) -> Report:
    """Send cases to a program and compare its answers.

    A process that ends or does not answer in time fails the case that it was sent, and is replaced.

    Args:
        command: The program and its arguments.
        cases: The cases.
        kit: The version of the kit, for the report.
        jobs: How many processes of the program run at once.
        seconds: How long an answer may take, in seconds.
        progress: Called once for each case that is done.

    Raises:
        ProgramFailed: If the program cannot be started at all.
    """
    return asyncio.run(_run(command, cases, kit, jobs, seconds, progress))


async def _run(
    command: Sequence[str],
    cases: Sequence[Case],
    kit: str,
    jobs: int,
    seconds: float,
    progress: Callable[[], object],
) -> Report:
    first = Program(command, seconds)
    try:
        about = await first.start()
    except BaseException:
        await first.stop()
        raise
    results: list[Result] = []
    waiting: list[Case] = []
    for case in cases:
        if case.operation in about.operations:
            waiting.append(case)
        else:
            results.append(Result(case, "unsupported", f"{about.name} has no {case.operation}"))
            progress()
    waiting.reverse()

    async def work(program: Program, *, started: bool) -> None:
        running = started
        try:
            while waiting:
                case = waiting.pop()
                try:
                    if not running:
                        await program.start()
                        running = True
                    result = await _result_of(program, case, seconds)
                except ProgramFailed as error:
                    await program.stop()
                    running = False
                    result = Result(case, "error", str(error))
                results.append(result)
                progress()
        finally:
            await program.stop()

    count = max(1, min(jobs, len(waiting)))
    async with asyncio.TaskGroup() as group:
        group.create_task(work(first, started=True))
        for _ in range(count - 1):
            group.create_task(work(Program(command, seconds), started=False))
    return Report(kit, about, tuple(sorted(results, key=lambda one: one.case.id)))


async def _result_of(program: Program, case: Case, seconds: float) -> Result:
    answer = await program.ask(case.id, case.operation, case.input)
    if "unsupported" in answer:
        return Result(case, "unsupported", str(answer["unsupported"]))
    result: Any = answer.get("result")
    if not isinstance(result, dict):
        return Result(
            case, "error", str(answer.get("error", "the answer has neither result, unsupported nor error"))
        )
    try:
        if case.operation == "serve":
            wrong = await asyncio.to_thread(server_fault, case, result.get("url"), seconds)
        else:
            wrong = answer_fault(case, result)
    except (TypeError, KeyError, ValueError, AttributeError, RecursionError):
        wrong = "the answer has not the form that the kit describes"
    return Result(case, "failed", wrong) if wrong else Result(case, "passed")
