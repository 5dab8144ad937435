import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { OperatorError } from "@beatmarket/foundation/errors.ts";
import { from, to } from "pg-copy-streams";
import type { Connection } from "../../connection/connection.ts";
import type { Table } from "./schema.ts";

/** The two ends of a copy. */
export interface Ends {
  old: Connection;
  fresh: Connection;
}

const newline = 0x0a;

/**
 * Copies the rows of a table, whose copy is empty. `onRows` is called with the number of rows as they pass. Text, since
 * the binary form may differ between major versions.
 */
export async function copyTable(
  { old, fresh }: Ends,
  { name, columns }: Table,
  { onRows, signal }: { onRows: (rows: number) => void; signal: AbortSignal },
): Promise<void> {
  const list = columns.length === 0 ? "" : `(${columns.join(", ")})`;
  const counting = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      // A newline ends a row; those within values are escaped.
      let rows = 0;
      for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, at + 1)) rows++;
      onRows(rows);
      done(null, chunk);
    },
  });
  await pipeline(
    old.query(to(`copy ${name} ${list} to stdout`)),
    counting,
    fresh.query(from(`copy ${name} ${list} from stdin`)),
    { signal },
  );
}

/** Throws an OperatorError unless both tables have the same rows, generated columns included. */
export async function requireSameRows({ old, fresh }: Ends, table: Table): Promise<number> {
  const [was, is] = await Promise.all([readChecksum(old, table), readChecksum(fresh, table)]);
  if (was.rows !== is.rows || was.checksum !== is.checksum)
    throw new OperatorError(
      `The copy of table ${table.name} differs: ${was.rows} rows with checksum ${was.checksum}, in the copy ${is.rows} with ${is.checksum}.`,
    );
  return was.rows;
}

interface Checksum {
  rows: number;
  checksum: string;
}

/** The sum of the rows' MD5, which does not depend on their order, and is alike in all major versions. */
async function readChecksum(connection: Connection, { name, read }: Table): Promise<Checksum> {
  const half = (side: "left" | "right") => `coalesce(sum(('x' || ${side}(hash, 16))::bit(64)::bigint::numeric), 0)`;
  const { rows } = await connection.query(`
    select count(*) as rows, ${half("left")} || '/' || ${half("right")} as checksum
    from (select md5(row(${read.join(", ")})::text) as hash from ${name}) as hashes`);
  return rows[0];
}

/** Sets the sequences of the copy, and throws an OperatorError unless they then are as those of the old database. */
export async function copySequences({ old, fresh }: Ends): Promise<number> {
  const states = await readSequences(old);
  for (const { name, last_value, is_called } of states)
    await fresh.query("select setval($1::regclass, $2, $3)", [name, last_value, is_called]);
  const copied = new Map((await readSequences(fresh)).map((state) => [state.name, JSON.stringify(state)]));
  for (const state of states)
    if (copied.get(state.name) !== JSON.stringify(state))
      throw new OperatorError(
        `The copy of sequence ${state.name} differs: ${JSON.stringify(state)}, in the copy ${copied.get(state.name)}.`,
      );
  return states.length;
}

interface SequenceState {
  name: string;
  last_value: string;
  is_called: boolean;
}

async function readSequences(connection: Connection): Promise<SequenceState[]> {
  const { rows: names } = await connection.query(
    "select oid::regclass::text as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'S' order by 1",
  );
  const states: SequenceState[] = [];
  for (const { name } of names) {
    const { rows } = await connection.query(`select last_value::text, is_called from ${name}`);
    states.push({ name, ...rows[0] });
  }
  return states;
}
