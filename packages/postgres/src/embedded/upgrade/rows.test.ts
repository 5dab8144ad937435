import { afterTestFile } from "@beatmarket/foundation/testing/clean-up.ts";
import { expect, test } from "vitest";
import { emptyDatabaseUrl } from "../../../testing/test-database.ts";
import { Connection } from "../../connection/connection.ts";
import { connectionConfig } from "../../connection/settings.ts";
import { copySequences, copyTable, requireSameRows } from "./rows.ts";
import { readTables } from "./schema.ts";

async function connectToEmptyTables(): Promise<Connection> {
  const connection = new Connection(connectionConfig({ url: await emptyDatabaseUrl() }));
  await connection.connect();
  afterTestFile(() => connection.end());
  await connection.query(`create table words (
    id bigint generated always as identity, word text, capitals text generated always as (upper(word)) stored)`);
  await connection.query("create table readers (id serial)");
  return connection;
}

const connections = { old: await connectToEmptyTables(), fresh: await connectToEmptyTables() };
const table = { name: "words", columns: ["id", "word"], allColumns: ["capitals", "id", "word"] };

test("a copied table has the same rows, whatever their values, and a different row is detected", async () => {
  await connections.old.query("insert into words (word) values ('a'), (E'line\\nof\\ttwo \\\\'), (null), (''), ('é')");
  let rows = 0;
  const onRows = (more: number) => {
    rows += more;
  };
  await copyTable(connections, table, { onRows, signal: new AbortController().signal });
  expect(rows).toBe(5);
  expect(await requireSameRows(connections, table)).toBe(5);
  for (const [change, undo] of [
    ["update words set word = 'b' where word = 'a'", "update words set word = 'a' where word = 'b'"],
    ["delete from words where word = 'a'", "insert into words (id, word) overriding system value values (1, 'a')"],
    ["update words set word = null where word = ''", "update words set word = '' where id = 4"],
  ] as const) {
    await connections.fresh.query(change);
    await expect(requireSameRows(connections, table), change).rejects.toThrow(
      /^The copy of table words differs: 5 rows with/,
    );
    await connections.fresh.query(undo);
    await requireSameRows(connections, table);
  }
});

test("the columns to copy do not include generated columns", async () => {
  const tables = await readTables(connections.old);
  const copiedCounts = tables.map(({ columns }) => columns.length);
  expect(copiedCounts.every((count) => count > 0)).toBe(true);
  expect(tables.some(({ columns, allColumns }) => allColumns.length > columns.length)).toBe(true);
});

test("an aborted copy rejects", async () => {
  const aborted = AbortSignal.abort();
  const both = { old: await connectToEmptyTables(), fresh: await connectToEmptyTables() };
  await expect(copyTable(both, table, { onRows: () => {}, signal: aborted })).rejects.toThrow("abort");
});

test("copied sequences continue with the next number", async () => {
  await connections.old.query("select setval('readers_id_seq', 41)");
  expect(await copySequences(connections)).toBe(2);
  const { rows } = await connections.fresh.query("select nextval('readers_id_seq') as id");
  expect(rows).toEqual([{ id: 42 }]);
});
