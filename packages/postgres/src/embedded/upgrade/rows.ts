import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { OperatorError } from "@beatmarket/foundation/errors.ts";
import { from, to } from "pg-copy-streams";
import type { Connection } from "../../connection/connection.ts";
import type { Table } from "./schema.ts";

/** The connections to both clusters. */
export interface Ends {
  old: Connection;
  fresh: Connection;
}

const newline = 0x0a;

/**
 * Copies the rows of a table into an empty table. Calls `onRows` with the number of rows of each chunk. Uses the text
 * format, since the binary format may differ between major versions.
 */
export async function copyTable(
  { old, fresh }: Ends,
  { name, columns }: Table,
  { onRows, signal }: { onRows: (rows: number) => void; signal: AbortSignal },
): Promise<void> {
  const list = columns.length === 0 ? "" : `(${columns.join(", ")})`;
  const counting = new Transform({
    transform(chunk: Buffer, _encoding, callback) {
      // A newline ends a row. Newlines within values are escaped.
      let rows = 0;
      for (let index = chunk.indexOf(newline); index !== -1; index = chunk.indexOf(newline, index + 1)) rows++;
      onRows(rows);
      callback(null, chunk);
    },
  });
  await pipeline(
    old.query(to(`copy ${name} ${list} to stdout`)),
    counting,
    fresh.query(from(`copy ${name} ${list} from stdin`)),
    { signal },
  );
}

/**
 * Throws an OperatorError unless both tables have the same rows, including generated columns. Returns the number of
 * rows.
 */
export async function requireSameRows({ old, fresh }: Ends, table: Table): Promise<number> {
  const [original, copy] = await Promise.all([readChecksum(old, table), readChecksum(fresh, table)]);
  if (original.rows !== copy.rows || original.checksum !== copy.checksum)
    throw new OperatorError(
      `The copy of table ${table.name} differs: ${original.rows} rows with checksum ${original.checksum}, in the copy ${copy.rows} with ${copy.checksum}.`,
    );
  return original.rows;
}

interface Checksum {
  rows: number;
  checksum: string;
}

/** The sum of the MD5 of all rows. It does not depend on their order, and is the same in all major versions. */
async function readChecksum(connection: Connection, { name, allColumns }: Table): Promise<Checksum> {
  const half = (side: "left" | "right") => `coalesce(sum(('x' || ${side}(hash, 16))::bit(64)::bigint::numeric), 0)`;
  const { rows } = await connection.query(`
    select count(*) as rows, ${half("left")} || '/' || ${half("right")} as checksum
    from (select md5(row(${allColumns.join(", ")})::text) as hash from ${name}) as hashes`);
  return rows[0];
}

/**
 * Copies the state of all sequences, checks it, and returns their number. Throws an OperatorError that names a sequence
 * that differs.
 */
export async function copySequences({ old, fresh }: Ends): Promise<number> {
  const states = await readSequences(old);
  for (const { name, last_value, is_called } of states)
    await fresh.query("select setval($1::regclass, $2, $3)", [name, last_value, is_called]);
  const newStates = new Map((await readSequences(fresh)).map((state) => [state.name, JSON.stringify(state)]));
  for (const state of states)
    if (newStates.get(state.name) !== JSON.stringify(state))
      throw new OperatorError(
        `The copy of sequence ${state.name} differs: ${JSON.stringify(state)}, in the copy ${newStates.get(state.name)}.`,
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
