import { sql } from "kysely";
import { expect, test } from "vitest";
import { emptyDatabaseUrl, openTestDatabase } from "../../testing/test-database.ts";
import { shortReads } from "./short-reads.ts";

test("statements run on the reader's connection, prepared once, and their errors are PostgreSQL's", async () => {
  const { reader } = openTestDatabase(await emptyDatabaseUrl());
  const reads = shortReads(reader);
  const number = (value: number) =>
    sql<{ number: number; pid: number }>`
    select ${value}::bigint as number, pg_backend_pid() as pid`.execute(reads);
  const results = await Promise.all([1, 2, 3].map(number));
  expect(results.flatMap(({ rows }) => rows.map((row) => row.number))).toEqual([1, 2, 3]);
  const [own] = await reader.query<{ pid: number }>("select pg_backend_pid() as pid", []);
  expect(new Set(results.map(({ rows }) => rows[0]?.pid))).toEqual(new Set([own?.pid]));
  const { rows } = await sql`select from pg_prepared_statements where statement like ${"%as number%"}`.execute(reads);
  expect(rows).toHaveLength(1);
  await expect(sql`select nothing`.execute(reads)).rejects.toMatchObject({ code: "42703" });
});

test("a transaction is refused", async () => {
  const { reader } = openTestDatabase(await emptyDatabaseUrl());
  const beginning = shortReads(reader)
    .transaction()
    .execute(async () => {});
  await expect(beginning).rejects.toThrow("no transactions");
});
