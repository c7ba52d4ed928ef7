"""Envelopes: the parts of an agent's answer, to whom each goes, approvals, state, surfaces (Beach protocol seed).

The public names are those of `__all__`, imported when first used; the last are typed views of what parts hold.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from cardwright_runtime.lazy import lazy_exports

if TYPE_CHECKING:
    from cardwright.registries import PartTypeRegistry
    from cardwright_beach.anthropic_translator import AnthropicTranslator
    from cardwright_beach.approvals import (
        Approvals,
        email_subject,
        read_email,
        read_ui_action,
        read_whatsapp,
        ui_action,
        whatsapp_buttons,
    )
    from cardwright_beach.artifacts import Artifact, ArtifactStore, FolderArtifactStore, artifact_part
    from cardwright_beach.auditing import AuditSink, FileAudit, MemoryAudit
    from cardwright_beach.building import build_envelope
    from cardwright_beach.delivery import Delivery, Explanation, Transport, deliver
    from cardwright_beach.events import EnvelopeEvent, PartEvent, Settlement
    from cardwright_beach.merging import merge
    from cardwright_beach.messages import from_message, to_message
    from cardwright_beach.parts import Part, part
    from cardwright_beach.states import (
        SessionState,
        StateChange,
        StateMachines,
        StateTransitionRejected,
        apply_set_state,
        stripped,
    )
    from cardwright_beach.stream import AgentResponseEnvelope
    from cardwright_beach.surfaces import BASIC_CATALOGUE, SurfaceContext, SurfaceTemplates, fold_surface
    from cardwright_beach.translation import TranslationRequest, Translator
    from cardwright_beach.wire import ReceivedEnvelope, envelope_violations, read_envelope, to_wire
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

_MODULES: Final = {
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
_EXPORTS: Final = {name: f"cardwright_beach.{module}" for module, names in _MODULES.items() for name in names}

__getattr__, __dir__ = lazy_exports(
    __name__,
    {
        **dict.fromkeys(__all__, "cardwright_models.beach_envelope_v1_0.models"),
        **_EXPORTS,
        "PartTypeRegistry": "cardwright.registries",
    },
)
