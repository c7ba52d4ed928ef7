"""The examples in docstrings do what they say."""

from __future__ import annotations

import doctest
from importlib import import_module

import pytest

MODULES = (
    "cardwright.builder.build",
    "cardwright.builder.decorators",
    "cardwright.builder.docstrings",
    "cardwright.canonical",
    "cardwright.card",
    "cardwright.cli.card_draft",
    "cardwright.cli.reports.difference",
    "cardwright.cli.reports.difference_markdown",
    "cardwright.dialect",
    "cardwright.difference",
    "cardwright.difference.change",
    "cardwright.discovery.contracts",
    "cardwright.view.interfaces",
    "cardwright.discovery.selection",
    "cardwright.discovery.protocol_support",
    "cardwright_beach.artifacts",
    "cardwright_beach.merging",
    "cardwright_beach.parts",
    "cardwright_beach.surfaces.catalogues",
    "cardwright_beach.surfaces.folding",
    "cardwright_beach.surfaces.templates",
    "cardwright.outline.a2a",
    "cardwright.page.links",
    "cardwright.page.source",
    "cardwright_beach.approvals.actions",
    "cardwright_beach.approvals.mail",
    "cardwright_beach.states.machines",
    "cardwright_gateway.gateway",
    "cardwright.hosts",
    "cardwright.registries",
    "cardwright.repair",
    "cardwright.serve",
    "cardwright.serve.forms",
    "cardwright.serve.views",
    "cardwright.signing.forms",
    "cardwright.signing.signer",
    "cardwright.store.cards",
    "cardwright.store.tokenizer",
    "cardwright.validate",
    "cardwright.view",
)


@pytest.mark.parametrize("module", MODULES)
def test_the_examples_of_a_module_hold(module: str) -> None:
    result = doctest.testmod(import_module(module), optionflags=doctest.ELLIPSIS)
    assert result.attempted
    assert not result.failed
