"""Untrusted TLS certificates, and redirects out of TLS."""

from __future__ import annotations

import asyncio
import ssl
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from typing import TYPE_CHECKING

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from cardwright.errors import ConnectionDenied, PeerTimeout, PeerUnreachable
from cardwright.guard import Guard, GuardedClient, Timeouts
from tests.peers import Reply, peer, raw_peer

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator
    from pathlib import Path

pytestmark = pytest.mark.usefixtures("both_ways")
LEAVE = Guard(allow=("127.0.0.0/8",))


def certificate(folder: Path, host: str = "127.0.0.1", *, days: int = 1) -> Path:
    """Write a key and a certificate for an address, signed by itself."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "a test")])
    begins = datetime.now(UTC) - timedelta(days=10)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(begins)
        .not_valid_after(begins + timedelta(days=10 + days))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address(host))]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    file = folder / "peer.pem"
    file.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        + made.public_bytes(serialization.Encoding.PEM)
    )
    return file


@asynccontextmanager
async def tls_peer(file: Path, answer: bytes) -> AsyncGenerator[str]:
    """Run a server over TLS that answers everything by the same bytes."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await reader.readuntil(b"\r\n\r\n")
            writer.write(answer)
            await writer.drain()
        except (asyncio.IncompleteReadError, OSError):
            pass
        finally:
            writer.close()

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file)
    server = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=context)
    async with server:
        yield f"https://127.0.0.1:{server.sockets[0].getsockname()[1]}"


def trusting(file: Path) -> ssl.SSLContext:
    return ssl.create_default_context(cafile=str(file))


OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nhi"


async def test_an_untrusted_certificate_is_refused(tmp_path: Path) -> None:
    file = certificate(tmp_path)
    async with tls_peer(file, OK) as url:
        async with GuardedClient(LEAVE) as client:
            with pytest.raises(PeerUnreachable, match="the TLS certificate is not trusted"):
                await client.get(url)
        async with GuardedClient(LEAVE, ssl_context=trusting(file)) as client:
            assert (await client.get(url)).body == b"hi"


@pytest.mark.parametrize(
    ("host", "days"), [("127.0.0.9", 1), ("127.0.0.1", -1)], ids=["of-another", "expired"]
)
async def test_a_certificate_of_another_host_or_period_is_refused(
    tmp_path: Path, host: str, days: int
) -> None:
    file = certificate(tmp_path, host, days=days)
    async with tls_peer(file, OK) as url, GuardedClient(LEAVE, ssl_context=trusting(file)) as client:
        with pytest.raises(PeerUnreachable, match="the TLS certificate is not trusted"):
            await client.get(url)


async def test_a_redirect_from_https_to_http_is_refused(tmp_path: Path) -> None:
    file = certificate(tmp_path)
    async with peer(lambda _: Reply(body=b"plain")) as plain:
        response = f"HTTP/1.1 302 Go\r\nLocation: {plain.origin}/kanarie\r\nContent-Length: 0\r\n\r\n"
        async with (
            tls_peer(file, response.encode()) as url,
            GuardedClient(LEAVE, ssl_context=trusting(file)) as client,
        ):
            with pytest.raises(ConnectionDenied) as caught:
                await client.get(url, configured=url)
        assert caught.value.rule == "guard/downgrade"
        assert "kanarie" not in str(caught.value)
        assert plain.requests == []


async def test_a_plain_peer_is_no_tls_peer() -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1)
        writer.write(b"HTTP/1.1 400 No\r\n\r\n")
        await writer.drain()

    async with raw_peer(serve) as plain, GuardedClient(LEAVE) as client:
        with pytest.raises(PeerUnreachable, match="the TLS connection failed"):
            await client.get(plain.origin.replace("http:", "https:"))


async def test_a_peer_without_a_tls_handshake_ends_with_a_timeout() -> None:
    async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        del writer
        await reader.read(-1)

    times = Timeouts(connect=0.1, first_byte=60, total=None)
    async with raw_peer(silent) as one, GuardedClient(LEAVE, timeouts=times) as client:
        with pytest.raises(PeerTimeout):
            await client.get(one.origin.replace("http:", "https:"))
