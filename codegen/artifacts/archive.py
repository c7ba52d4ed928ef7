"""The archive: the published folder in one file, byte for byte the same on every machine."""

from __future__ import annotations

import gzip
import io
import tarfile
from typing import Final

MODE: Final = 0o644


def archive(files: dict[str, bytes], folder: str, mtime: int) -> bytes:
    """Return a gzipped tar archive of files by path.

    It is reproducible: sorted names, no owner, one mode, one time.

    Args:
        files: Contents by path.
        folder: The top folder inside the archive.
        mtime: The time of every file, in seconds since 1970.
    """
    plain = io.BytesIO()
    with tarfile.open(fileobj=plain, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        for path, body in sorted(files.items()):
            entry = tarfile.TarInfo(f"{folder}/{path}")
            entry.size, entry.mode, entry.mtime = len(body), MODE, mtime
            tar.addfile(entry, io.BytesIO(body))
    packed = io.BytesIO()
    with gzip.GzipFile(filename="", fileobj=packed, mode="wb", compresslevel=9, mtime=0) as stream:
        stream.write(plain.getvalue())
    return packed.getvalue()
