"""Envelopes: the parts of an agent's answer, to whom each goes, approvals, state, surfaces (Beach protocol seed).

The public names are those of `__all__`, imported when first used; the last are typed views of what parts hold.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from cardwright.envelope.anthropic_translator import AnthropicTranslator
    from cardwright.envelope.approvals import (
        Approvals,
        email_subject,
        read_email,
        read_ui_action,
        read_whatsapp,
        ui_action,
        whatsapp_buttons,
    )
    from cardwright.envelope.artifacts import Artifact, ArtifactStore, FolderArtifactStore, artifact_part
    from cardwright.envelope.auditing import AuditSink, FileAudit, MemoryAudit
    from cardwright.envelope.building import build_envelope
    from cardwright.envelope.delivery import Delivery, Explanation, Transport, deliver
    from cardwright.envelope.events import EnvelopeEvent, PartEvent, Settlement
    from cardwright.envelope.merging import merge
    from cardwright.envelope.messages import from_message, to_message
    from cardwright.envelope.parts import Part, part
    from cardwright.envelope.states import (
        SessionState,
        StateChange,
        StateMachines,
        StateTransitionRejected,
        apply_set_state,
        stripped,
    )
    from cardwright.envelope.stream import AgentResponseEnvelope
    from cardwright.envelope.surfaces import BASIC_CATALOGUE, SurfaceContext, SurfaceTemplates, fold_surface
    from cardwright.envelope.translation import TranslationRequest, Translator
    from cardwright.envelope.wire import ReceivedEnvelope, envelope_violations, read_envelope, to_wire
    from cardwright.registries import PartTypeRegistry
    from cardwright_models.beach_envelope_v1_0.models import (
        ApprovalRequest,
        ApprovalResponse,
        ArtifactReference,
        Citation,
        EnvelopeMeta,
        EnvelopePart,
        Progress,
        SetState,
    )

__all__ = [
    "BASIC_CATALOGUE",
    "AgentResponseEnvelope",
    "AnthropicTranslator",
    "ApprovalRequest",
    "ApprovalResponse",
    "Approvals",
    "Artifact",
    "ArtifactReference",
    "ArtifactStore",
    "AuditSink",
    "Citation",
    "Delivery",
    "EnvelopeEvent",
    "EnvelopeMeta",
    "EnvelopePart",
    "Explanation",
    "FileAudit",
    "FolderArtifactStore",
    "MemoryAudit",
    "Part",
    "PartEvent",
    "PartTypeRegistry",
    "Progress",
    "ReceivedEnvelope",
    "SessionState",
    "SetState",
    "Settlement",
    "StateChange",
    "StateMachines",
    "StateTransitionRejected",
    "SurfaceContext",
    "SurfaceTemplates",
    "TranslationRequest",
    "Translator",
    "Transport",
    "apply_set_state",
    "artifact_part",
    "build_envelope",
    "deliver",
    "email_subject",
    "envelope_violations",
    "fold_surface",
    "from_message",
    "merge",
    "part",
    "read_email",
    "read_envelope",
    "read_ui_action",
    "read_whatsapp",
    "stripped",
    "to_message",
    "to_wire",
    "ui_action",
    "whatsapp_buttons",
]

_HERE: Final = {
    "anthropic_translator": ("AnthropicTranslator",),
    "approvals": (
        "Approvals",
        "email_subject",
        "read_email",
        "read_ui_action",
        "read_whatsapp",
        "ui_action",
        "whatsapp_buttons",
    ),
    "artifacts": ("Artifact", "ArtifactStore", "FolderArtifactStore", "artifact_part"),
    "auditing": ("AuditSink", "FileAudit", "MemoryAudit"),
    "building": ("build_envelope",),
    "delivery": ("Delivery", "Explanation", "Transport", "deliver"),
    "events": ("EnvelopeEvent", "PartEvent", "Settlement"),
    "merging": ("merge",),
    "messages": ("from_message", "to_message"),
    "parts": ("Part", "part"),
    "states": (
        "SessionState",
        "StateChange",
        "StateMachines",
        "StateTransitionRejected",
        "apply_set_state",
        "stripped",
    ),
    "stream": ("AgentResponseEnvelope",),
    "surfaces": ("BASIC_CATALOGUE", "SurfaceContext", "SurfaceTemplates", "fold_surface"),
    "translation": ("TranslationRequest", "Translator"),
    "wire": ("ReceivedEnvelope", "envelope_violations", "read_envelope", "to_wire"),
}
_ROOMS: Final = {name: f"cardwright.envelope.{room}" for room, names in _HERE.items() for name in names}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        msg = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(msg)
    room = "cardwright.registries" if name == "PartTypeRegistry" else _ROOMS.get(name)
    value = getattr(import_module(room or "cardwright_models.beach_envelope_v1_0.models"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
