"""Downloaded exports of the catalogue."""

from __future__ import annotations

import gzip
import json
from dataclasses import dataclass, field
from typing import IO, TYPE_CHECKING

from .errors import BeatMarketError, unexpected_response
from .models import BeatDetail
from .response import Response

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator, Mapping


@dataclass(frozen=True)
class BeatExport:
    """A downloaded export. A loop reads its beats from the file, one at a time."""

    path: str | os.PathLike[str]
    position: int
    """The export has every change up to this position: what `changes.follow` goes on from."""
    response: Response = field(repr=False, compare=False)

    def __iter__(self) -> Iterator[BeatDetail]:
        with gzip.open(self.path, "rb") as lines:
            for line in lines:
                yield BeatDetail(**json.loads(line))


class ExportDownload:
    """Takes an export over several attempts, and writes it to a file."""

    def __init__(self, file: IO[bytes]) -> None:
        self.position = 0
        self._file = file
        self._etag: str | None = None
        self._bytes = 0
        self._bytes_before = 0

    def headers(self) -> dict[str, str]:
        """Asks for the rest, if the service still has the same export. From the last byte: a range may not be empty."""
        if self._bytes == 0 or self._etag is None:
            return {}
        return {"range": f"bytes={self._bytes - 1}-", "if-range": self._etag}

    def begin(self, status: int, headers: Mapping[str, str]) -> bool:
        """Whether this response has a body for the file."""
        if status not in (200, 206):
            return False
        position = headers.get("x-change-position", "")
        if not position.isdigit():
            raise unexpected_response(Response(status, headers, b""))
        self.position, self._etag = int(position), headers.get("etag")
        self._bytes = self._bytes - 1 if status == 206 else 0
        self._file.seek(self._bytes)
        self._file.truncate()
        return True

    def write(self, chunk: bytes) -> None:
        """Writes what has come."""
        self._file.write(chunk)
        self._bytes += len(chunk)

    def has_advanced(self) -> bool:
        """Whether something came since the last call: then the attempts are counted anew."""
        has_advanced = self._bytes > self._bytes_before
        self._bytes_before = self._bytes
        return has_advanced


def open_target(path: str | os.PathLike[str]) -> IO[bytes]:
    """Opens the file of a download. Raises BeatMarketError if it cannot be written."""
    try:
        return open(path, "wb")
    except OSError as error:
        raise BeatMarketError(f"The file {path!s} cannot be written: {error}.") from error
