"""The modules of gRPC for tests; a test module that imports this one is skipped without grpcio."""

from __future__ import annotations

from typing import Any, Final

import pytest

_WHY: Final = 'grpcio is not installed; install it with: pip install "cardwright[grpc]"'

grpc: Any = pytest.importorskip("grpc", reason=_WHY)
aio: Any = pytest.importorskip("grpc.aio", reason=_WHY)
services: Any = pytest.importorskip("a2a.types.a2a_pb2_grpc", reason=_WHY)
services_of_0_3: Any = pytest.importorskip("a2a.compat.v0_3.a2a_v0_3_pb2_grpc", reason=_WHY)
