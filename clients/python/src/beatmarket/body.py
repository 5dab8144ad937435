"""Files that arrive over several attempts. Sends no requests."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from .errors import APIConnectionError, BeatMarketError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import TracebackType

    from typing_extensions import Self


class Body:
    """The progress of a body that may take several attempts, and the headers that request the rest.

    A `size` is passed only for files whose bytes never change. With neither size nor ETag, each attempt begins at 0.
    """

    def __init__(self, accept: dict[str, str], start: int = 0, size: int | None = None) -> None:
        self.bytes = start
        """The number of received bytes."""
        self.received: Mapping[str, str] = {}
        """The headers of the latest response."""
        self._accept = accept
        self._size = size
        self._bytes_before = start

    @property
    def etag(self) -> str | None:
        """The ETag of the latest response."""
        return self.received.get("etag")

    def headers(self) -> dict[str, str]:
        """The headers of the next attempt."""
        if self._start == 0:
            return self._accept
        condition = {"if-range": self.etag} if self._size is None and self.etag else {}
        return {**self._accept, "range": f"bytes={self._start}-", **condition}

    def begin(self, status: int, headers: Mapping[str, str]) -> None:
        """Accepts a response. Raises APIConnectionError if it has other bytes than the requested ones."""
        given = headers.get("content-range", "")
        if status == 206 and not given.startswith(f"bytes {self._start}-"):
            raise APIConnectionError(f"The response has the bytes {given}, not those from {self._start}.")
        self.bytes = self._start if status == 206 else 0
        self.received = headers

    def check_end(self) -> None:
        """Raises APIConnectionError if bytes are missing."""
        if self._size is not None and self.bytes < self._size:
            raise APIConnectionError(f"The file ended after {self.bytes} of {self._size} bytes.")

    def has_advanced(self) -> bool:
        """Whether bytes have arrived since the last call of this method. If so, attempts count from one again."""
        has_advanced = self.bytes > self._bytes_before
        self._bytes_before = self.bytes
        return has_advanced

    @property
    def _start(self) -> int:
        """The offset of the next attempt.

        If the size is unknown, it is the last received byte, as a range cannot be empty; without an ETag it is 0.
        """
        if self._size is not None:
            return self.bytes
        return max(self.bytes - 1, 0) if self.etag else 0


class Target:
    """The file for a body. Raises BeatMarketError if it cannot be written."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._path = path
        self._end = -1
        try:
            # Opened without truncating it and without O_APPEND: existing bytes stay, and writes go to any offset.
            self._file = open(os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o666), "r+b")  # noqa: SIM115
            self.bytes = os.fstat(self._file.fileno()).st_size
            """The number of bytes that the file had before."""
        except (OSError, TypeError) as error:
            raise unwritable(path, error) from error

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            with self._file:
                self._file.flush()
                os.fsync(self._file.fileno())
        except OSError as cause:
            if error is None:
                raise unwritable(self._path, cause) from cause

    def write(self, offset: int, chunk: bytes) -> None:
        """Writes bytes at this offset. Unless the last write ended there, first truncates the file to the offset."""
        try:
            if offset != self._end:
                self._file.seek(offset)
                self._file.truncate()
            self._file.write(chunk)
        except OSError as error:
            raise unwritable(self._path, error) from error
        self._end = offset + len(chunk)


def unwritable(path: str | os.PathLike[str], error: OSError | TypeError) -> BeatMarketError:
    """The error for a file that cannot be written."""
    return BeatMarketError(f"The file {path} cannot be written: {error}.")
