"""The playground: a page on which visitors validate, fix, convert and compare cards that they paste; nothing is stored."""

from cardwright.playground.application import MAX_BODY_BYTES, Playground

__all__ = ["MAX_BODY_BYTES", "Playground"]
