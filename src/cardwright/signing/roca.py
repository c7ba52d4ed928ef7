"""RSA moduli of the shape that CVE-2017-15361 (ROCA) makes factorable.

The affected library takes primes of the form k·M + (65537^a mod M), M a product of small primes: so
modulo each of those, the modulus is a power of 65537 (Nemec et al., CCS 2017, §2.3). By chance that
holds for one modulus of some 2^27.
"""

from __future__ import annotations

from functools import cache
from typing import Final

# Those primes of M in whose group 65537 does not generate everything, so that they tell (ibid.).
_PRIMES: Final = (11, 13, 17, 19, 37, 53, 61, 71, 73, 79, 97, 103, 107, 109, 127, 151, 157)


def has_roca(modulus: int) -> bool:
    """Whether a modulus has the fingerprint."""
    return all(modulus % prime in _powers(prime) for prime in _PRIMES)


@cache
def _powers(prime: int) -> frozenset[int]:
    powers, power = {1}, 65537 % prime
    while power not in powers:
        powers.add(power)
        power = power * 65537 % prime
    return frozenset(powers)
