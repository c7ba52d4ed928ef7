"""`cardwright explain`: what a rule means, why, and how to fix a card that breaks it."""

from __future__ import annotations

import sys
from dataclasses import asdict
from typing import Annotated, Final

from cardwright.cli import options  # noqa: TC001 - typer reads annotations when it runs
from cardwright.cli.option_groups import described
from cardwright.cli.terminal import at_terminal, emit, emit_json, fail, render
from cardwright.errors import UnknownRule

EXAMPLES: Final = ("cardwright explain url/https", "cardwright explain | less")


def _completions() -> list[str]:
    from cardwright.explanations import rule_ids

    return list(rule_ids())


def command(
    rule: Annotated[str | None, described("explain RULE", autocompletion=_completions)] = None,
    *,
    form: options.Format = "text",
) -> None:
    """Explain a rule: what it means, why it exists, how to fix a card, with examples.

    Exits with 0, or 2 if no rule has that id.
    """
    from cardwright.explanations import explain, rule_ids

    if rule is None:
        _list(rule_ids(), form)
        return
    try:
        explanation = explain(rule)
    except UnknownRule as error:
        fail(str(error))
    if form == "json":
        emit_json({**asdict(explanation), "url": explanation.url})
    elif at_terminal(sys.stdout):
        from rich.markdown import Markdown

        render(Markdown(explanation.markdown()))
    else:
        emit(explanation.markdown())


def _list(titles: dict[str, str], form: str) -> None:
    if form == "json":
        emit_json({"results": [{"rule": rule, "title": title} for rule, title in titles.items()]})
        return
    width = max(map(len, titles))
    for rule, title in titles.items():
        emit(f"{rule:{width}}  {title}\n")
