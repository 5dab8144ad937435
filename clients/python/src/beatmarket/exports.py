"""Downloaded exports of the catalogue."""

from __future__ import annotations

import gzip
import json
import zlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ._generated.models import BeatDetail
from .errors import APIConnectionError, unexpected_response
from .model import modelled
from .response import Response

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator

    from .body import Body


@dataclass(frozen=True)
class BeatExport:
    """A downloaded export. A loop reads its beats from the file, one at a time."""

    path: str | os.PathLike[str]
    position: int
    """The export has every change up to this position. Continue from it with `changes.follow`."""
    response: Response = field(repr=False, compare=False)

    def __iter__(self) -> Iterator[BeatDetail]:
        with gzip.open(self.path, "rb") as lines:
            for line in lines:
                yield modelled(json.loads(line), BeatDetail)


class BeatLines:
    """Reads the beats of an export from its bytes, as they arrive."""

    def __init__(self, body: Body) -> None:
        self._body = body
        self._etag: str | None = None
        self._bytes = 0
        self._rest = b""
        self._zip = zlib.decompressobj(wbits=31)

    def beats(self, offset: int, chunk: bytes) -> Iterator[BeatDetail]:
        """Returns the beats that this chunk completes. After a lost connection, the chunk may repeat bytes."""
        if self._bytes > 0 and self._etag != self._body.etag:
            raise APIConnectionError("The service has another export since the connection broke; begin again.")
        self._etag = self._body.etag
        new = chunk[max(self._bytes - offset, 0) :]
        self._bytes += len(new)
        try:
            lines = (self._rest + self._zip.decompress(new)).split(b"\n")
            self._rest = lines.pop()
            yield from (modelled(json.loads(line), BeatDetail) for line in lines)
        except (zlib.error, ValueError) as error:
            raise APIConnectionError(f"The export cannot be read: {error}.") from error

    def check_end(self) -> None:
        """Raises APIConnectionError if the export is not complete."""
        if not self._zip.eof:
            raise APIConnectionError(f"The export ended after {self._bytes} bytes, before its end; begin again.")


def position_of(body: Body) -> int:
    """The position of an export. Raises APIStatusError for a response without one."""
    text = body.received.get("x-change-position", "")
    if not (text.isascii() and text.isdigit()):
        raise unexpected_response(Response(200, body.received, b""))
    return int(text)
