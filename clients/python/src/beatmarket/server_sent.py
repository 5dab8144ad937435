"""Parses server-sent events from the bytes of a stream. Sends no requests."""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from dataclasses import dataclass

_FIRST_RETRY_S = 3.0
_LONGEST_RETRY_S = 60.0


@dataclass(frozen=True)
class ServerSentEvent:
    """One event of a stream."""

    id: str
    """The last id that the stream has named."""
    data: str


class ServerSentEvents:
    """The events of one connection, by https://html.spec.whatwg.org/multipage/server-sent-events.html."""

    def __init__(self) -> None:
        self.retry_s = _FIRST_RETRY_S
        """The time that the service asks to wait before the next connection."""
        self._decoder = codecs.getincrementaldecoder("utf-8-sig")("replace")
        self._rest = ""
        self._id = ""
        self._data: list[str] = []

    def read(self, chunk: bytes) -> Iterator[ServerSentEvent]:
        """The events that are complete with this chunk."""
        text = self._rest + self._decoder.decode(chunk)
        # A CR at the end may be half of a line break.
        self._rest = "\r" if text.endswith("\r") else ""
        lines = text.removesuffix("\r").replace("\r\n", "\n").replace("\r", "\n").split("\n")
        self._rest = lines.pop() + self._rest
        for line in lines:
            if line:
                self._field(*line.partition(":")[::2])
                continue
            if self._data:
                yield ServerSentEvent(self._id, "\n".join(self._data))
            self._data = []

    def _field(self, name: str, value: str) -> None:
        value = value.removeprefix(" ")
        if name == "data":
            self._data.append(value)
        elif name == "id" and "\0" not in value:
            self._id = value
        elif name == "retry" and value.isascii() and value.isdigit():
            self.retry_s = min(float(value) / 1000, _LONGEST_RETRY_S)
