"""`cardwright init`: the first card of an agent, asked for or given by options."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

import typer

from cardwright.cli.inputs import STDIN
from cardwright.cli.option_groups import option
from cardwright.cli.terminal import at_terminal, emit_bytes, fail, json_text, legible, tell
from cardwright_runtime.violation import clipped, escaped

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright.card import Card
    from cardwright.cli.card_draft import Draft, Skill

# Nothing can be built without these.
_REQUIRED: Final = ("name", "description", "url", "skill")
_FORM: Final = 'a skill is written "id: what it does #tag #tag"'


def command(  # noqa: PLR0913 - one option, one argument
    path: Annotated[
        str, typer.Argument(metavar="PATH", help="The file to write, or - for standard output.")
    ] = "agent-card.json",
    *,
    dialect: Annotated[
        Literal["a2a-1.0", "beach-1.0"] | None, option("--dialect", "What to write; a2a-1.0.")
    ] = None,
    name: Annotated[str | None, option("--name", "What people call the agent.")] = None,
    description: Annotated[str | None, option("--description", "What it is for.")] = None,
    url: Annotated[str | None, option("--url", "Where it is, with https://.")] = None,
    skill: Annotated[
        list[str] | None,
        option(
            "--skill",
            "A thing that it can do, with tags for catalogues; the id is the tag without any. May be repeated.",
            "'ID: TEXT #TAG'",
        ),
    ] = None,
    version: Annotated[str | None, option("--version", "Its release; 0.1.0.")] = None,
    provider: Annotated[str | None, option("--provider", "Who runs it.")] = None,
    provider_url: Annotated[str | None, option("--provider-url", "The website of who runs it.")] = None,
    streaming: Annotated[
        bool | None, option("--streaming/--no-streaming", "A2A: whether it streams.")
    ] = None,
    identifier: Annotated[str | None, option("--id", "Beach: its identifier; made of the name.")] = None,
    force: Annotated[bool, option("--force", "Replace a file that is there.")] = False,
) -> None:
    """Begin an agent card: ask for what it needs, or take it from options, and write one without errors.

    At a terminal whatever no option gives is asked for, unless name, description, URL and a skill are
    all given: then nothing is.

    Exits with 0 if the card was written, 1 if you stopped it, 2 if it could not be written.
    """
    if path != STDIN and not force and os.path.lexists(path):
        fail(f"{legible(path)} is there already: give --force to replace it, or another PATH")
    if path != STDIN and not os.path.isdir(os.path.dirname(path) or "."):  # noqa: PTH112, PTH120 - as given
        fail(f"{legible(path)}: there is no such folder: make it, or name another PATH")
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
    draft = _drafted({option: value for option, value in given.items() if value is not None})
    from cardwright.errors import CardError

    try:
        card = draft.card()
    except CardError as error:
        # Each answer alone was right: what is left is what they say together.
        fail(str(error))
    _deliver(card, path, force=force)


def _drafted(given: dict[str, Any]) -> Draft:
    """Return the draft of what options say; ask for the rest where something is missing that must be there."""
    from cardwright.cli.card_draft import A2A, Draft

    dialect = given.get("dialect", A2A)
    answers = _judged(dialect, given)
    # A2A 1.0 §4.4.2: a provider has an address.
    required = (*_REQUIRED, "provider_url") if dialect == A2A and "provider" in given else _REQUIRED
    missing = [_option(name) for name in required if name not in given]
    if not missing:
        return Draft(**answers)
    if not (at_terminal(sys.stdin) and at_terminal(sys.stderr)):
        fail(f"there is no terminal to ask at: give {', '.join(missing)}")
    return Draft(**_asked(answers))


def _judged(dialect: str, given: dict[str, Any]) -> dict[str, Any]:
    """Return what options say as parts of a draft; end the command where the judge refuses one of them."""
    from cardwright.cli.card_draft import A2A, Skill, fault

    if dialect != A2A and "streaming" in given:
        fail("--streaming: a Beach card does not say whether an agent streams")
    if dialect == A2A and "id" in given:
        fail("--id: an A2A card has no identifier of its own; give --dialect beach-1.0 for one that has")
    if "provider_url" in given and "provider" not in given:
        fail("--provider-url: it is the website of whom --provider names, and that is nobody")
    answers: dict[str, Any] = {}
    for name, value in given.items():
        if name == "skill":
            read = [Skill.read(text) for text in value]
            if None in read:
                fail(f"--skill: {value[read.index(None)]!r} is none: {_FORM}")
            answers["skills"] = tuple(read)
        else:
            answers[name] = value
    for part, value in answers.items():
        if part not in {"dialect", "streaming"} and (
            reason := fault(dialect, **_whole(answers, part, value))
        ):
            fail(f"{_option(part)}: {reason}")
    return answers


def _option(name: str) -> str:
    return f"--{name.removesuffix('s').replace('_', '-')}"


def _whole(answers: dict[str, Any], part: str, value: Any) -> dict[str, Any]:
    """Return an answer with what it cannot stand without: a provider and an address belong together."""
    if part == "provider":
        return {part: value, "provider_url": "https://example.com"}
    return {part: value, "provider": answers["provider"]} if part == "provider_url" else {part: value}


def _asked(answers: dict[str, Any]) -> dict[str, Any]:
    """Return the answers with what a person at the terminal says to the rest."""
    from cardwright.cli.card_draft import A2A, BEACH, DIALECTS, fault

    answers = {**answers}
    tell("Enter takes what stands in brackets; Ctrl-C stops, and nothing is written.\n")
    # Whoever says whether it streams has chosen: no Beach card says that.
    if "streaming" in answers:
        answers["dialect"] = A2A
    if "dialect" not in answers:
        answers["dialect"] = _ask(
            f"Dialect ({' or '.join(DIALECTS)})",
            A2A,
            lambda said: None if said in DIALECTS else f"it is one of {', '.join(DIALECTS)}",
        )
    dialect = answers["dialect"]

    def ask(part: str, question: str, default: str | None = None, **beside: Any) -> None:
        if part not in answers:
            answers[part] = _ask(question, default, lambda said: fault(dialect, **{part: said}, **beside))

    ask("name", "Name of the agent")
    ask("description", "What it is for, in a sentence")
    ask("url", "URL of the agent (https://…)")
    ask("version", "Its version", "0.1.0")
    if "skills" not in answers:
        answers["skills"] = _asked_skills(dialect)
    if "provider" not in answers:
        said = _ask("Who runs it (nothing to leave it out)", "", lambda _: None)
        answers |= {"provider": said} if said else {}
    if "provider" in answers:
        ask("provider_url", "Website of who runs it", provider=answers["provider"])
    if dialect == A2A and "streaming" not in answers:
        answers["streaming"] = typer.confirm("Does it stream its answers", default=False, err=True)
    if dialect == BEACH and "id" not in answers:
        from cardwright.cli.card_draft import Draft

        ask("id", "Identifier", Draft(name=answers["name"]).slug)
    return answers


def _asked_skills(dialect: str) -> tuple[Skill, ...]:
    """Return the skills that a person names, one at least."""
    from cardwright.cli.card_draft import A2A, Skill, fault

    skills: list[Skill] = []

    def of_id(said: str) -> str | None:
        if not said and skills:
            return None
        if not said or any(sign.isspace() or sign == ":" for sign in said):
            return "an id is one word without a colon, such as find-berths"
        return fault(dialect, skills=(*skills, Skill(said, "It does a thing.")))

    while True:
        question = "Id of another skill (nothing when done)" if skills else "Id of its first skill"
        identifier = _ask(question, "" if skills else None, of_id)
        if not identifier:
            return tuple(skills)
        described = _ask(
            "What it does", None, lambda said: "it is empty" if not said else fault(dialect, description=said)
        )
        tags: tuple[str, ...] = ()
        if dialect == A2A:
            words = _ask("Tags for catalogues, with commas between", identifier, lambda _: None)
            tags = tuple(word.strip() for word in words.split(",") if word.strip())
        skills.append(Skill(identifier, described, tags))


def _ask(question: str, default: str | None, fault: Callable[[str], str | None]) -> str:
    """Return an answer that nothing is wrong with; say what is, and ask again, until there is one."""
    while True:
        # An empty answer is asked about by us, with a reason; typer would ask again without a word.
        asked_with = "" if default is None else default
        said = str(typer.prompt(question, default=asked_with, err=True, show_default=bool(default))).strip()
        if not said and default is None:
            tell("  it is empty, and needed\n")
            continue
        reason = fault(said)
        if reason is None:
            return said
        tell(f"  {clipped(reason)}\n")


def _deliver(card: Card, path: str, *, force: bool) -> None:
    """Write the card, all of it or nothing, and say what comes next."""
    from cardwright.cli.outputs import write_file

    body = json_text(card.document)
    shown = escaped(legible(path))
    if path == STDIN:
        emit_bytes(body)
    else:
        # Somebody may have written it while we asked.
        if not force and os.path.lexists(path):
            fail(f"{shown} is there by now: give --force to replace it, or another PATH")
        try:
            write_file(path, body)
        except OSError as error:
            fail(f"{shown} cannot be written: {error.strerror}")
        tell(f"{shown}: {card.dialect}, valid\n")
    for violation in card.violations:
        tell(f"  {violation.severity}: {escaped(violation.pointer)}: {clipped(violation.message)}\n")
    if path != STDIN:
        tell(f"next: cardwright check {shown}, and cardwright serve {shown}\n")
