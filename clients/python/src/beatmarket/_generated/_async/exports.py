# Generated from contract/openapi.json by npm run contract; do not edit.
"""All beats in one file."""

from __future__ import annotations

import os
from collections.abc import Awaitable
from typing import overload

from ..._async.files import AsyncBeatStream, AsyncExportsTransfers
from ...exports import BeatExport


class AsyncExports(AsyncExportsTransfers):
    """All beats in one file."""

    @overload
    def beats(self) -> AsyncBeatStream: ...
    @overload
    def beats(self, path: str | os.PathLike[str]) -> Awaitable[BeatExport]: ...
    def beats(self, path: str | os.PathLike[str] | None = None) -> AsyncBeatStream | Awaitable[BeatExport]:
        """Returns all listed beats in one file, compressed with gzip: one line of JSON for each, as in `GET
        /beats/{beat_id}`, in the order of ids.

        The file is at most ten minutes old, or older if nothing has changed since. Together with `GET /changes` from
        its `X-Change-Position` on, it is an exact copy of the catalogue. Each key may download one export an hour,
        outside of the plan's limits. Resuming an interrupted download with Range does not count. Writes into a file.
        Resumes after a lost connection. The timeout is the longest wait for the next bytes.

        Args:
            path: The file. Without it, a loop over the result reads the beats as they arrive.

        Raises:
            RateLimitError: if the key took an export within the last hour.
            BeatMarketError: if the file cannot be written.
        """
        return self._transfer_beats(path)
