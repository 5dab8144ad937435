import { rmSync } from "node:fs";
import { dirname, join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import type { Beat, Change } from "../../../javascript/src/generated/models.ts";
import { CommandError } from "../errors.ts";

/** A copy of the beats on sale. Each change is one transaction, which also stores the position. */
export interface Mirror {
  /** The position of the mirror; null before the first export. */
  position(): number | null;
  count(): number;
  /** Replaces all beats by the beats of an export. Returns the position of the export. */
  load(position: number, beats: AsyncIterable<Beat>): Promise<number>;
  /** Applies changes, unless another process has applied changes after `after`. */
  apply(after: number, page: { changes: Change[]; next: number }): void;
  close(): void;
}

const schema = `
  create table if not exists beats (
    id integer primary key, title text not null, producer text, genre text, bpm real, key text, price real,
    created_at text, beat text not null
  );
  create table if not exists mirror (server text not null, position integer);`;

/** Opens or creates the mirror of a server. Throws a CommandError for the mirror of another server, and for any other file. */
export function openMirror(file: string, server: string): Mirror {
  const db = openDatabase(file, server);
  const upsert = db.prepare(
    `insert into beats values (?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict (id) do update set title = excluded.title,
     producer = excluded.producer, genre = excluded.genre, bpm = excluded.bpm, key = excluded.key,
     price = excluded.price, created_at = excluded.created_at, beat = excluded.beat`,
  );
  const remove = db.prepare("delete from beats where id = ?");
  const reach = db.prepare("update mirror set position = ?");
  const position = (): number | null => (db.prepare("select position from mirror").get()?.position as number) ?? null;
  const storeBeat = (beat: Beat): void => {
    const { id, title, producer_name, genre, bpm, key, price, created_at } = beat;
    const fields = [producer_name, genre?.name, bpm, key, price, created_at].map((field) => field ?? null);
    upsert.run(id, title, ...fields, JSON.stringify(beat));
  };
  return {
    position,
    count: () => Number(db.prepare("select count(*) as count from beats").get()?.count),
    load: async (reached, beats) => {
      db.exec("begin immediate");
      try {
        db.exec("delete from beats");
        for await (const beat of beats) storeBeat(beat);
        reach.run(reached);
        db.exec("commit");
      } catch (error) {
        db.exec("rollback");
        throw error;
      }
      rmSync(join(dirname(file), "export.ndjson.gz"), { force: true });
      return reached;
    },
    apply: (after, { changes, next }) => {
      db.exec("begin immediate");
      try {
        if (position() === after) {
          for (const { type, beat_id, beat } of changes)
            if (beat === null || type === "sold" || type === "withdrawn") remove.run(beat_id);
            else storeBeat(beat);
          reach.run(next);
        }
        db.exec("commit");
      } catch (error) {
        db.exec("rollback");
        throw error;
      }
    },
    close: () => db.close(),
  };
}

function openDatabase(file: string, server: string): DatabaseSync {
  let db: DatabaseSync | undefined;
  // Loaded only here, because older versions of Node print a warning.
  const { DatabaseSync: Database } = process.getBuiltinModule("node:sqlite");
  try {
    db = new Database(file, { timeout: 10_000 });
    db.exec(`pragma journal_mode = wal; pragma synchronous = full;${schema}`);
    db.exec("begin immediate");
    const mirroredServer = db.prepare("select server from mirror").get()?.server;
    if (mirroredServer === undefined) db.prepare("insert into mirror values (?, null)").run(server);
    db.exec("commit");
    if (mirroredServer === undefined || mirroredServer === server) return db;
    throw new CommandError(`${file} is a mirror of ${mirroredServer}. Choose another folder for ${server}.`);
  } catch (error) {
    db?.close();
    if (error instanceof CommandError) throw error;
    throw new CommandError(`${file} cannot be opened as a mirror (${(error as Error).message}).`);
  }
}
