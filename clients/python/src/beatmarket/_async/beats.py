"""The beats on sale, and the beats of the key's account."""

from __future__ import annotations

from collections.abc import Iterable

from .._generated._async import beats as generated
from .._generated.models import BeatDetail
from ..arguments import is_a
from ..errors import BeatMarketError
from ..pages import BeatBatch

_Beats = list[BeatDetail]  # `list` is a method of the class.
_Ids = list[int]


class AsyncBeats(generated.AsyncBeats):
    """The beats on sale, and your own."""

    async def get_many(self, beat_ids: Iterable[int]) -> BeatBatch:
        """Gets beats by their ids, in that order and with all details, with a request for every 100.

        A repeated id is returned once.
        """
        if isinstance(beat_ids, (str, bytes)) or not is_a(beat_ids, Iterable):
            raise BeatMarketError(f"beat_ids must be a list of ids, not {beat_ids!r}.")
        ids = [*{str(beat_id): beat_id for beat_id in beat_ids}.values()]
        beats: _Beats = []
        missing: _Ids = []
        for start in range(0, len(ids), 100):
            page = await self.list(ids=ids[start : start + 100])
            beats += page.data
            missing += page.missing or []
        return BeatBatch(beats, missing)
