"""What Schemathesis checks of our OpenAPI descriptions, and with how many requests."""

from __future__ import annotations

from hypothesis import HealthCheck, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    allow_header_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
    unsupported_method,
)

# Each is a series of requests: a fourth of the documents of a property.
CHECKED = settings(
    max_examples=settings().max_examples // 4,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large],
)
CHECKS = [
    unsupported_method,
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    allow_header_conformance,
]
