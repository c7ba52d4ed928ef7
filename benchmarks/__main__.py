"""`make bench`: run all benchmarks and print their tables."""

from __future__ import annotations

from benchmarks.calling import calling
from benchmarks.checking import checking
from benchmarks.conversion import converting
from benchmarks.discovering import discovering
from benchmarks.enveloping import enveloping
from benchmarks.gateway import gateway
from benchmarks.measure import machine
from benchmarks.servers import servers
from benchmarks.serving import serving
from benchmarks.signing import signing
from benchmarks.starting import starting
from benchmarks.storing import storing
from benchmarks.typed_models import typed_models
from benchmarks.validating import validating

if __name__ == "__main__":
    print(machine(), "\n")
    validating()
    typed_models()
    converting()
    signing()
    starting()
    checking()
    servers()
    serving()
    discovering()
    storing()
    enveloping()
    gateway()
    calling()
