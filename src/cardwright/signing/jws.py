"""The one place that signs and verifies bytes: JWS in its flattened JSON form, by joserfc."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from joserfc.errors import JoseError
from joserfc.jws import JWSRegistry, deserialize_json, serialize_json
from joserfc.registry import check_crit_header

from cardwright.signing.base64url import encoded
from cardwright.signing.header import MAX_HEADER_CHARACTERS, MAX_SIGNATURE_CHARACTERS
from cardwright.signing.keys import ALGORITHMS

if TYPE_CHECKING:
    from cardwright.signing.header import Header
    from cardwright.signing.keys import Key


class _CardRegistry(JWSRegistry):
    """joserfc's algorithms, with our limits: it reads 512 characters of header and 128 kB of payload."""

    max_header_length = MAX_HEADER_CHARACTERS
    max_payload_length = 2**24
    max_signature_length = MAX_SIGNATURE_CHARACTERS

    def get_alg(self, name: str) -> Any:
        """Return an algorithm of the list, without the warning that EdDSA is deprecated (RFC 9864)."""
        if name not in ALGORITHMS:
            return super().get_alg(name)
        return self.algorithms[name]

    def check_header(self, header: dict[str, Any]) -> None:
        """Refuse critical members; all else was read by `header.read_header`, which also takes a null jku."""
        check_crit_header(self.header_registry, header)


_REGISTRY: Final = _CardRegistry(algorithms=[*ALGORITHMS])


def signed(payload: bytes, key: Key, header: dict[str, str]) -> dict[str, str]:
    """Return `protected` and `signature` over a payload (RFC 7515 §7.2.2)."""
    jws: Any = serialize_json({"protected": header}, payload, key.jose, registry=_REGISTRY)
    return {"protected": jws["protected"], "signature": jws["signature"]}


def holds(payload: bytes, key: Key, header: Header) -> bool:
    """Whether a signature is that of a key over a payload."""
    jws: Any = {
        "payload": encoded(payload),
        "protected": header.protected,
        "signature": header.signature,
    }
    try:
        deserialize_json(jws, key.jose, registry=_REGISTRY)
    except (JoseError, ValueError):
        return False
    return True
