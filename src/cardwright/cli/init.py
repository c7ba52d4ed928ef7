"""`cardwright init`: a new agent card, from options and prompts."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

import typer

from cardwright.cli.inputs import STDIN
from cardwright.cli.option_groups import described
from cardwright.cli.terminal import at_terminal, emit_document, emit_stderr, fail, json_text, legible
from cardwright_runtime.violation import clipped, escaped

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright.card import Card
    from cardwright.cli.card_draft import Draft, Skill

# A card without these has errors.
_REQUIRED: Final = ("name", "description", "url", "skill")

EXAMPLES: Final = (
    "cardwright init",
    "cardwright init --name Tides --url https://tides.example.com/a2a card.json",
    "cardwright init --skill 'times: Finds times of high water. #sea'",
)


def command(  # noqa: PLR0913 - one parameter per option
    path: Annotated[str, described("init PATH")] = "agent-card.json",
    *,
    dialect: Annotated[Literal["a2a-1.0", "beach-1.0"] | None, described("init --dialect")] = None,
    name: Annotated[str | None, described("init --name")] = None,
    description: Annotated[str | None, described("init --description")] = None,
    url: Annotated[str | None, described("init --url")] = None,
    skill: Annotated[list[str] | None, described("init --skill")] = None,
    version: Annotated[str | None, described("init --version")] = None,
    provider: Annotated[str | None, described("init --provider")] = None,
    provider_url: Annotated[str | None, described("init --provider-url")] = None,
    streaming: Annotated[bool | None, described("init --streaming/--no-streaming")] = None,
    identifier: Annotated[str | None, described("init --id")] = None,
    force: Annotated[bool, described("init --force")] = False,
) -> None:
    """Create a valid agent card from options, and ask for the values that are missing.

    If --name, --description, --url and --skill are given, nothing is asked.

    Exit status: 0 the card was written, 1 you cancelled, 2 an option is wrong or the card could not be written.
    """
    if path != STDIN and not force and os.path.lexists(path):
        fail(f"{legible(path)} already exists: use --force to replace it, or choose another PATH")
    if path != STDIN and not os.path.isdir(os.path.dirname(path) or "."):  # noqa: PTH112, PTH120 - as given
        fail(f"{legible(path)}: the folder does not exist; create it, or choose another PATH")
    given = {
        "dialect": dialect,
        "name": name,
        "description": description,
        "url": url,
        "skill": skill or None,
        "version": version,
        "provider": provider,
        "provider_url": provider_url,
        "streaming": streaming,
        "id": identifier,
    }
    draft = _draft({option: value for option, value in given.items() if value is not None})
    from cardwright.errors import CardError

    try:
        card = draft.card()
    except CardError as error:
        # Each answer is valid alone; the combination is not.
        fail(str(error))
    _write(card, path, force=force)


def _draft(given: dict[str, Any]) -> Draft:
    """Return the draft from options; prompt for the other values if a required one is missing."""
    from cardwright.cli.card_draft import A2A, Draft

    dialect = given.get("dialect", A2A)
    answers = _checked(dialect, given)
    # A2A 1.0 §4.4.2: a provider requires a URL.
    required = (*_REQUIRED, "provider_url") if dialect == A2A and "provider" in given else _REQUIRED
    missing = [_option(name) for name in required if name not in given]
    if not missing:
        return Draft(**answers)
    if not (at_terminal(sys.stdin) and at_terminal(sys.stderr)):
        fail(f"required options are missing: {', '.join(missing)} (without a terminal there is no prompt)")
    return Draft(**_prompted(answers))


def _checked(dialect: str, given: dict[str, Any]) -> dict[str, Any]:
    """Return the options as fields of a draft; end the command if one is invalid."""
    from cardwright.cli.card_draft import A2A, Skill, fault

    if dialect != A2A and "streaming" in given:
        fail("--streaming: a Beach card has no field for streaming; leave it out, or give --dialect a2a-1.0")
    if dialect == A2A and "id" in given:
        fail("--id: an A2A card has no id; leave it out, or give --dialect beach-1.0")
    if "provider_url" in given and "provider" not in given:
        fail("--provider-url needs --provider")
    answers: dict[str, Any] = {}
    for name, value in given.items():
        if name == "skill":
            skills = [Skill.read(text) for text in value]
            if None in skills:
                fail(f'--skill: expected "ID: TEXT #TAG #TAG", found {value[skills.index(None)]!r}')
            answers["skills"] = tuple(skills)
        else:
            answers[name] = value
    for field, value in answers.items():
        if field not in {"dialect", "streaming"} and (
            reason := fault(dialect, **_with_dependency(answers, field, value))
        ):
            fail(f"{_option(field)}: {reason}")
    return answers


def _option(name: str) -> str:
    return f"--{name.removesuffix('s').replace('_', '-')}"


def _with_dependency(answers: dict[str, Any], field: str, value: Any) -> dict[str, Any]:
    """Return a field with the one that it depends on: a provider and its URL are only valid together."""
    if field == "provider":
        return {field: value, "provider_url": "https://example.com"}
    return {field: value, "provider": answers["provider"]} if field == "provider_url" else {field: value}


def _prompted(answers: dict[str, Any]) -> dict[str, Any]:
    """Return the answers, completed with those that the user types."""
    from cardwright.cli.card_draft import A2A, BEACH, DIALECTS, fault

    answers = {**answers}
    emit_stderr("Press Enter to accept the value in brackets, Ctrl+C to cancel without writing.\n")
    # Only an A2A card has a field for streaming.
    if "streaming" in answers:
        answers["dialect"] = A2A
    if "dialect" not in answers:
        answers["dialect"] = _prompt(
            f"Dialect ({' or '.join(DIALECTS)})",
            A2A,
            lambda text: None if text in DIALECTS else f"expected {' or '.join(DIALECTS)}",
        )
    dialect = answers["dialect"]

    def ask(field: str, question: str, default: str | None = None, **others: Any) -> None:
        if field not in answers:
            answers[field] = _prompt(
                question, default, lambda text: fault(dialect, **{field: text}, **others)
            )

    ask("name", "Name of the agent")
    ask("description", "What the agent does, in a sentence")
    ask("url", "URL of the agent (https://…)")
    ask("version", "Version of the agent", "0.1.0")
    if "skills" not in answers:
        answers["skills"] = _prompted_skills(dialect)
    if "provider" not in answers:
        provider = _prompt("Provider (empty for none)", "", lambda _: None)
        answers |= {"provider": provider} if provider else {}
    if "provider" in answers:
        ask("provider_url", "Website of the provider", provider=answers["provider"])
    if dialect == A2A and "streaming" not in answers:
        answers["streaming"] = typer.confirm("Does the agent stream responses", default=False, err=True)
    if dialect == BEACH and "id" not in answers:
        from cardwright.cli.card_draft import Draft

        ask("id", "Id of the agent", Draft(name=answers["name"]).slug)
    return answers


def _prompted_skills(dialect: str) -> tuple[Skill, ...]:
    """Return the skills that the user types, at least one."""
    from cardwright.cli.card_draft import A2A, Skill, fault

    skills: list[Skill] = []

    def id_fault(text: str) -> str | None:
        if not text and skills:
            return None
        if not text or any(character.isspace() or character == ":" for character in text):
            return "expected one word without a colon, such as find-berths"
        return fault(dialect, skills=(*skills, Skill(text, "It does a thing.")))

    while True:
        question = "Id of another skill (empty to finish)" if skills else "Id of the first skill"
        identifier = _prompt(question, "" if skills else None, id_fault)
        if not identifier:
            return tuple(skills)
        description = _prompt("What it does", None, lambda text: fault(dialect, description=text))
        tags: tuple[str, ...] = ()
        if dialect == A2A:
            words = _prompt("Tags for catalogs, separated by commas", identifier, lambda _: None)
            tags = tuple(word.strip() for word in words.split(",") if word.strip())
        skills.append(Skill(identifier, description, tags))


def _prompt(question: str, default: str | None, fault: Callable[[str], str | None]) -> str:
    """Return a valid answer of the user; print why an answer is invalid and ask again."""
    while True:
        # With the default "", typer returns an empty answer instead of asking again without a message.
        answer = typer.prompt(question, default=default or "", err=True, show_default=bool(default))
        text = str(answer).strip()
        if not text and default is None:
            emit_stderr("  a value is required\n")
            continue
        reason = fault(text)
        if reason is None:
            return text
        emit_stderr(f"  {clipped(reason)}\n")


def _write(card: Card, path: str, *, force: bool) -> None:
    """Write the card atomically, and print its warnings and the next commands."""
    from cardwright.cli.outputs import write_file

    body = json_text(card.document)
    name = escaped(legible(path))
    if path == STDIN:
        emit_document(body)
    else:
        # The file may have been created during the prompts.
        if not force and os.path.lexists(path):
            fail(f"{name} already exists: use --force to replace it, or choose another PATH")
        try:
            write_file(path, body)
        except OSError as error:
            fail(f"{name} cannot be written: {error.strerror}")
        emit_stderr(f"{name}: {card.dialect}, valid\n")
    for violation in card.violations:
        emit_stderr(f"  {violation.severity}: {escaped(violation.pointer)}: {clipped(violation.message)}\n")
    if path != STDIN:
        emit_stderr(f"next: cardwright check {name}, then cardwright serve {name}\n")
