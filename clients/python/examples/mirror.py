"""Keeps a mirror of the catalogue in SQLite: `python3 mirror.py beats.db`. May be stopped and started at any moment.

--once ends it when no change is waiting. --pause 90 waits 90 seconds between calls once it is up to date, for a plan
with few calls a day.
"""

import argparse
import json
import sqlite3
import time

from beatmarket import BeatDetail, BeatMarket, GoneError

UPSERT = "insert into beats values (?, ?) on conflict (id) do update set beat = excluded.beat"

parser = argparse.ArgumentParser()
parser.add_argument("file", nargs="?", default="beats.db")
parser.add_argument("--once", action="store_true")
parser.add_argument("--pause", type=float, default=0)
options = parser.parse_args()
db = sqlite3.connect(options.file)
db.execute("pragma journal_mode = wal")
db.execute("create table if not exists beats (id integer primary key, beat text not null)")
db.execute("create table if not exists mirror (position integer not null)")


def row(beat: BeatDetail) -> tuple[int, str]:
    return beat.id, json.dumps(beat.to_dict())


def store(position: int) -> None:
    """Stores the position in the transaction of the rows, so a stopped mirror continues from where its rows are."""
    db.execute("delete from mirror")
    db.execute("insert into mirror values (?)", (position,))


def load_export(client: BeatMarket) -> int:
    beats = client.exports.beats(f"{options.file}.ndjson.gz")
    with db:
        db.execute("delete from beats")
        db.executemany(UPSERT, map(row, beats))
        store(beats.position)
    return beats.position


def follow(client: BeatMarket, after: int) -> None:
    for page in client.changes.follow(after=after, wait=0 if options.once else 30):
        with db:
            for change in page.changes:
                if change.beat is None or change.type in ("sold", "withdrawn"):
                    db.execute("delete from beats where id = ?", (change.beat_id,))
                else:
                    db.execute(UPSERT, row(change.beat))
            store(page.next)
        if options.once and not page.changes:
            return
        if len(page.changes) < 1000:
            time.sleep(options.pause)


with BeatMarket() as client:
    stored = db.execute("select position from mirror").fetchone()
    position = stored[0] if stored else load_export(client)
    while True:
        try:
            follow(client, position)
            break
        except GoneError:  # away for more than 30 days
            position = load_export(client)
print(db.execute("select count(*) from beats").fetchone()[0], "beats")
