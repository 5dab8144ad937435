"""The transfer of a file to an upload, by tus 1.0. Sends no requests."""

from __future__ import annotations

import base64
import hashlib
import io
import os
import re
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, TYPE_CHECKING
from urllib.parse import unquote

from .arguments import is_a
from .errors import BeatMarketError, unexpected_response

if TYPE_CHECKING:
    from .response import Response
    from .settings import Settings

PART_BYTES = 8_000_000
TUS = {"tus-resumable": "1.0.0"}
_SLOWEST_BYTES_PER_S = 64_000
"""The slowest connection on which a part still arrives in time."""


@dataclass(frozen=True)
class UploadProgress:
    """The progress of an upload."""

    upload_id: str
    """The id for `resume`, which works in a later process too."""
    sent: int
    """The number of bytes that the service has received."""
    bytes: int
    """The size of the whole file."""


Uploadable = str | os.PathLike[str] | bytes | IO[bytes]
Progress = Callable[[UploadProgress], object]


@dataclass(frozen=True)
class Source:
    """A file whose parts are read."""

    name: str | None
    size: int
    read: Callable[[int, int], bytes]
    """Takes an offset and a count, and returns at most that many bytes from the offset on."""


@contextmanager
def open_source(file: Uploadable) -> Generator[Source, None, None]:
    """Opens the file of an upload. Raises BeatMarketError if it cannot be read."""
    if isinstance(file, (bytes, bytearray, memoryview)):
        file = bytes(file)
        yield Source(None, len(file), lambda offset, count: file[offset : offset + count])
        return
    if not isinstance(file, (str, os.PathLike)):
        if isinstance(file, io.TextIOBase) or not hasattr(file, "seek"):
            raise BeatMarketError(f"file must be a path, a file opened in binary mode, or bytes, not {file!r}.")
        yield _source_of(file)
        return
    try:
        opened = open(file, "rb")  # noqa: SIM115 - closed below
    except OSError as error:
        raise BeatMarketError(f"The file {file!s} cannot be read: {error}.") from error
    with opened:
        yield _source_of(opened)


def _source_of(file: IO[bytes]) -> Source:
    name = getattr(file, "name", None)
    size = file.seek(0, os.SEEK_END)

    def read(offset: int, count: int) -> bytes:
        file.seek(offset)
        part = file.read(min(count, size - offset))
        if len(part) < min(count, size - offset):
            raise BeatMarketError("The file became shorter while it was uploaded; upload it again.")
        return part

    return Source(Path(name).name if isinstance(name, str) else None, size, read)


class Transfer:
    """An upload while its bytes are sent."""

    def __init__(self, upload_id: str, source: Source, part_bytes: int, progress: Progress | None) -> None:
        self.upload_id = upload_id
        self.source = source
        self.part_bytes = part_bytes
        self._progress = progress
        self._reported: int | None = None
        self._has_advanced = False

    def report(self, sent: int) -> None:
        """Records the number of bytes that the service has received, and calls `progress` if it has changed."""
        if sent == self._reported:
            return
        self._has_advanced = self._reported is not None
        self._reported = sent
        if self._progress is not None:
            self._progress(UploadProgress(self.upload_id, sent, self.source.size))

    def has_advanced(self) -> bool:
        """Whether the service received bytes since the last call. If so, attempts count from one again."""
        has_advanced = self._has_advanced
        self._has_advanced = False
        return has_advanced

    def checked_offset(self, response: Response) -> int:
        """The offset in a response to HEAD. Raises BeatMarketError if the upload belongs to a file of another size."""
        size = _number(response, "upload-length")
        if size != self.source.size:
            raise BeatMarketError(
                f"The file has {self.source.size} bytes, and the upload {self.upload_id} is for a file with {size}; "
                "resume it with the same file."
            )
        return offset_in(response)


def creation_headers(size: int, kind: str, filename: str) -> dict[str, str]:
    """The headers that begin an upload."""
    metadata = {"kind": kind, "filename": filename}
    for name, value in metadata.items():
        if not is_a(value, str):
            raise BeatMarketError(f"{name} must be a str, not {value!r}.")
    pairs = ",".join(f"{name} {_base64(value.encode())}" for name, value in metadata.items())
    return {**TUS, "upload-length": str(size), "upload-metadata": pairs}


def part_headers(part: bytes) -> dict[str, str]:
    """The headers of a body that is a part of a file."""
    checksum = f"sha256 {_base64(hashlib.sha256(part).digest())}"
    return {**TUS, "content-type": "application/offset+octet-stream", "upload-checksum": checksum}


def created_id(response: Response) -> str:
    """The id in Location. The host of Location is ignored: the key is sent to the base URL only."""
    found = re.search(r"/uploads/([^/?#]+)$", response.headers.get("location", ""))
    if found is None or "tus-resumable" not in response.headers:
        raise unexpected_response(response)
    return unquote(found[1])


def offset_in(response: Response) -> int:
    """The offset in a response."""
    return _number(response, "upload-offset")


def for_part(settings: Settings, part: bytes) -> Settings:
    """The settings of a request with a part: its timeout allows for a slow connection."""
    return replace(settings, timeout=settings.timeout + len(part) / _SLOWEST_BYTES_PER_S)


def _number(response: Response, name: str) -> int:
    text = response.headers.get(name, "")
    if not (text.isascii() and text.isdigit()):
        raise unexpected_response(response)
    return int(text)


def _base64(content: bytes) -> str:
    return base64.b64encode(content).decode()
