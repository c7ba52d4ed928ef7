"""The exceptions of this package, named by what the caller can do."""

from __future__ import annotations

from cardwright.errors.documents import (
    BadArgument,
    BadFunction,
    BadKey,
    BadName,
    DuplicateEntry,
    InvalidCard,
    MalformedDocument,
    MissingPackage,
    NoCanonicalForm,
    SignedCard,
    UnknownDialect,
    UnknownRule,
    UnsignableCard,
)
from cardwright.errors.peers import (
    AccessDenied,
    BadConfiguration,
    BadResponse,
    CallFailed,
    ConnectionDenied,
    ContractBroken,
    ContractUnusable,
    NoInterface,
    PeerError,
    PeerTimeout,
    PeerUnreachable,
    SessionFailed,
    StoreError,
    UnknownPeer,
    UnknownSkill,
)
from cardwright.errors.root import CardError

__all__ = [
    "AccessDenied",
    "BadArgument",
    "BadConfiguration",
    "BadFunction",
    "BadKey",
    "BadName",
    "BadResponse",
    "CallFailed",
    "CardError",
    "ConnectionDenied",
    "ContractBroken",
    "ContractUnusable",
    "DuplicateEntry",
    "InvalidCard",
    "MalformedDocument",
    "MissingPackage",
    "NoCanonicalForm",
    "NoInterface",
    "PeerError",
    "PeerTimeout",
    "PeerUnreachable",
    "SessionFailed",
    "SignedCard",
    "StoreError",
    "UnknownDialect",
    "UnknownPeer",
    "UnknownRule",
    "UnknownSkill",
    "UnsignableCard",
]

# Tracebacks and pickles then name this package, whichever module defines the class.
for _name in __all__:
    globals()[_name].__module__ = __name__
