import { sql } from "kysely";
import { expect, test } from "vitest";
import { emptyDatabaseUrl, openTestDatabase } from "../../testing/test-database.ts";

const { query: db } = openTestDatabase(await emptyDatabaseUrl());
await sql`create table pooled (id int primary key, a int)`.execute(db);
await sql`insert into pooled values (1, 2)`.execute(db);

test("a statement with parameters is prepared once per connection", async () => {
  await db.connection().execute(async (connection) => {
    const query = () => sql`select a from pooled where id = ${1}`.execute(connection);
    await query();
    expect((await query()).rows).toEqual([{ a: 2 }]);
    const prepared = await sql`select statement from pg_prepared_statements where statement like '%pooled%'`.execute(
      connection,
    );
    expect(prepared.rows).toHaveLength(1);
  });
});

test("a prepared statement whose table was altered is prepared again", async () => {
  await db.connection().execute(async (connection) => {
    const query = () => sql`select * from pooled where id = ${1}`.execute(connection);
    expect((await query()).rows).toEqual([{ id: 1, a: 2 }]);
    await sql`alter table pooled add column b int default 3`.execute(connection);
    expect((await query()).rows).toEqual([{ id: 1, a: 2, b: 3 }]);
  });
});

test("in a transaction an outdated statement fails with 0A000; the next transaction prepares it again", async () => {
  await db.connection().execute(async (connection) => {
    const query = (on: typeof db) => sql`select * from pooled where id = ${1}`.execute(on);
    await query(connection);
    await sql`alter table pooled add column c int default 4`.execute(connection);
    await expect(connection.transaction().execute(query)).rejects.toMatchObject({ code: "0A000" });
    expect((await connection.transaction().execute(query)).rows).toEqual([{ id: 1, a: 2, b: 3, c: 4 }]);
  });
});
