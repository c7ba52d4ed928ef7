"""Detection of RSA moduli that can be factored because of CVE-2017-15361 (ROCA).

The affected library generates primes of the form k·M + (65537^a mod M), where M is a product of small primes. So modulo
each of these, the modulus is a power of 65537 (Nemec et al., CCS 2017, §2.3). About one other modulus in 2^27 has this
fingerprint by chance.
"""

from __future__ import annotations

from functools import cache
from typing import Final

# The primes of M for which 65537 does not generate the whole group, so that they are significant (ibid.).
_PRIMES: Final = (11, 13, 17, 19, 37, 53, 61, 71, 73, 79, 97, 103, 107, 109, 127, 151, 157)


def has_roca(modulus: int) -> bool:
    """Return whether a modulus has the fingerprint."""
    return all(modulus % prime in _powers(prime) for prime in _PRIMES)


@cache
def _powers(prime: int) -> frozenset[int]:
    powers, power = {1}, 65537 % prime
    while power not in powers:
        powers.add(power)
        power = power * 65537 % prime
    return frozenset(powers)
