"""Finds three beats that mix with one: `python3 mixing.py 17`."""

import sys
from itertools import islice

from beatmarket import BeatMarket, BeatMarketError

try:
    with BeatMarket() as client:
        playing = client.beats.get(sys.argv[1] if len(sys.argv) > 1 else 1)
        mixing = client.beats.list(
            key_compatible=playing.key or None,  # If the key of the playing beat is unknown, the filter is off.
            bpm=playing.bpm,
            bpm_tolerance=4,  # Percent: listeners do not notice such a change of tempo.
            half_double=True,
            sort="popular",
            max_items=4,
        )
        found = list(islice((beat for beat in mixing if beat.id != playing.id), 3))
except BeatMarketError as error:
    sys.exit(str(error))
print("playing:", playing.id, playing.bpm, "bpm", playing.key)
for beat in found:
    print(beat.id, beat.bpm, "bpm", beat.key, beat.title)
