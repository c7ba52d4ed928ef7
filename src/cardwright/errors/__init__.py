"""Everything this package raises, named for what the caller can do about it."""

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
    UnsignableCard,
)
from cardwright.errors.envelopes import (
    ApprovalRefused,
    BadEnvelope,
    BadPart,
    EnvelopeSpent,
    SurfaceFailed,
    TranslationFailed,
    UnknownArtifact,
)
from cardwright.errors.files import FilesFull, FileTooLarge
from cardwright.errors.gateway import (
    AgentBusy,
    AgentOffline,
    BadSignature,
    BadTurn,
    BadWork,
    SessionNotReady,
    UnknownAgent,
    UnknownKey,
    UnknownWork,
    UpstreamInvalid,
)
from cardwright.errors.peers import (
    AccessDenied,
    BadAnswer,
    BadConfiguration,
    CallFailed,
    ContractBroken,
    ContractUnusable,
    NoInterface,
    PeerError,
    PeerTimeout,
    PeerUnreachable,
    Refused,
    SessionFailed,
    StoreError,
    UnknownPeer,
    UnknownSkill,
)
from cardwright.errors.root import (
    CardError,
)

__all__ = [
    "AccessDenied",
    "AgentBusy",
    "AgentOffline",
    "ApprovalRefused",
    "BadAnswer",
    "BadArgument",
    "BadConfiguration",
    "BadEnvelope",
    "BadFunction",
    "BadKey",
    "BadName",
    "BadPart",
    "BadSignature",
    "BadTurn",
    "BadWork",
    "CallFailed",
    "CardError",
    "ContractBroken",
    "ContractUnusable",
    "DuplicateEntry",
    "EnvelopeSpent",
    "FileTooLarge",
    "FilesFull",
    "InvalidCard",
    "MalformedDocument",
    "MissingPackage",
    "NoCanonicalForm",
    "NoInterface",
    "PeerError",
    "PeerTimeout",
    "PeerUnreachable",
    "Refused",
    "SessionFailed",
    "SessionNotReady",
    "SignedCard",
    "StoreError",
    "SurfaceFailed",
    "TranslationFailed",
    "UnknownAgent",
    "UnknownArtifact",
    "UnknownDialect",
    "UnknownKey",
    "UnknownPeer",
    "UnknownSkill",
    "UnknownWork",
    "UnsignableCard",
    "UpstreamInvalid",
]

# Whichever room of this one they stand in: a traceback and a pickle name what is imported.
for _name in __all__:
    globals()[_name].__module__ = __name__
