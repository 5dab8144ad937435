// Keeps a mirror of the catalogue in SQLite: `node mirror.mjs beats.db`. It may be stopped at any moment and started again.
// --once ends it when no change is waiting. --pause 90 waits 90 seconds between calls once it is up to date, for a plan
// with few calls a day.
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { BeatMarket, GoneError } from "beatmarket";

const options = { once: { type: "boolean", default: false }, pause: { type: "string", default: "0" } };
const { positionals, values } = parseArgs({ allowPositionals: true, options });
const [file = "beats.db"] = positionals;
const client = new BeatMarket();
const db = new DatabaseSync(file);
db.exec(`pragma journal_mode = wal;
  create table if not exists beats (id integer primary key, beat text not null);
  create table if not exists mirror (position integer not null)`);
const upsert = db.prepare("insert into beats values (?, ?) on conflict (id) do update set beat = excluded.beat");
const remove = db.prepare("delete from beats where id = ?");

/** Rows and position change together, so a mirror that is stopped continues from where its rows are. */
async function inTransaction(position, change) {
  db.exec("begin immediate");
  try {
    await change();
    db.exec("delete from mirror");
    db.prepare("insert into mirror values (?)").run(position);
    db.exec("commit");
  } catch (error) {
    db.exec("rollback");
    throw error;
  }
}

async function loadExport() {
  const beats = await client.exports.beats(`${file}.ndjson.gz`);
  await inTransaction(beats.position, async () => {
    db.exec("delete from beats");
    for await (const beat of beats) upsert.run(beat.id, JSON.stringify(beat));
  });
  return beats.position;
}

async function follow(after) {
  for await (const { changes, next } of client.changes.follow({ after, wait: values.once ? 0 : 30 })) {
    await inTransaction(next, () => {
      for (const { type, beat_id, beat } of changes)
        if (beat === null || type === "sold" || type === "withdrawn") remove.run(beat_id);
        else upsert.run(beat_id, JSON.stringify(beat));
    });
    if (values.once && changes.length === 0) return;
    if (changes.length < 1_000) await sleep(Number(values.pause) * 1_000);
  }
}

let position = db.prepare("select position from mirror").get()?.position;
for (let isDone = false; !isDone; ) {
  position ??= await loadExport();
  try {
    await follow(position);
    isDone = true;
  } catch (error) {
    if (!(error instanceof GoneError)) throw error;
    position = undefined; // Away for more than 30 days: take a new export.
  }
}
console.log(db.prepare("select count(*) as count from beats").get().count, "beats");
