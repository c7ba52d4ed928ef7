"""The examples in docstrings do what they say."""

from __future__ import annotations

import doctest
from importlib import import_module

import pytest

MODULES = (
    "builder.build",
    "builder.decorators",
    "builder.docstrings",
    "canonical",
    "card",
    "cli.drafting",
    "cli.reports.difference",
    "cli.reports.difference_markdown",
    "dialect",
    "difference",
    "difference.change",
    "discovery.contracts",
    "discovery.interfaces",
    "discovery.selection",
    "discovery.spoken",
    "envelope.artifacts",
    "envelope.merging",
    "envelope.parts",
    "envelope.surfaces.catalogues",
    "envelope.surfaces.folding",
    "envelope.surfaces.templates",
    "outline.a2a",
    "page.links",
    "page.source",
    "envelope.approvals.actions",
    "envelope.approvals.mail",
    "envelope.states.machines",
    "gateway.gateway",
    "hosts",
    "registries",
    "repair",
    "serve",
    "serve.forms",
    "serve.views",
    "signing.forms",
    "signing.signer",
    "store.cards",
    "store.words",
    "validate",
)


@pytest.mark.parametrize("module", MODULES)
def test_the_examples_of_a_module_hold(module: str) -> None:
    result = doctest.testmod(import_module(f"cardwright.{module}"), optionflags=doctest.ELLIPSIS)
    assert result.attempted
    assert not result.failed
