"""Canonical forms of cards, their signatures, and the keys behind them (A2A 1.0 §8.4)."""

from cardwright.signing.forms import PROFILES, Form, Profile, canonical_form, explain, form_of
from cardwright.signing.keys import ALGORITHMS, Algorithm, Key, new_key
from cardwright.signing.keyset import KeySet
from cardwright.signing.recent import RecentKeySets
from cardwright.signing.reduction import RULES, Step
from cardwright.signing.signer import sign, unsigned
from cardwright.signing.verdict import SignatureVerdict, Verification
from cardwright.signing.verifier import Policy, verify, wanted_key_sets

__all__ = [
    "ALGORITHMS",
    "PROFILES",
    "RULES",
    "Algorithm",
    "Form",
    "Key",
    "KeySet",
    "Policy",
    "Profile",
    "RecentKeySets",
    "SignatureVerdict",
    "Step",
    "Verification",
    "canonical_form",
    "explain",
    "form_of",
    "new_key",
    "sign",
    "unsigned",
    "verify",
    "wanted_key_sets",
]
