import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { tcpProxy } from "@beatmarket/foundation/testing/tcp-proxy.ts";
import { expect, test } from "vitest";
import { connectForTest } from "../../testing/driver.ts";
import { emptyDatabaseUrl, openTestDatabase } from "../../testing/test-database.ts";

test("a statement that was prepared before its table was altered runs again with the same values", async () => {
  const { reader, driver } = openTestDatabase(await emptyDatabaseUrl());
  await driver`create table notes (bytes bytea, json jsonb, time timestamptz, ids bigint[])`;
  const time = new Date("2026-01-02T03:04:05.678Z");
  const write = () =>
    reader.query("insert into notes (bytes, json, time, ids) values ($1, $2, $3, $4) returning *", [
      Buffer.from([0, 255]),
      { list: [1, "two"] },
      time,
      [1, 2],
    ]);
  const row = { bytes: Buffer.from([0, 255]), json: { list: [1, "two"] }, time, ids: [1, 2] };
  expect(await write()).toEqual([row]);
  await driver`alter table notes add column later text not null default 'later'`;
  const results = await Promise.all([write(), write(), write()]);
  expect(results.flat()).toEqual(Array(3).fill({ ...row, later: "later" }));
});

test("a failed statement does not affect its neighbours, and is prepared when its table exists", async () => {
  const { reader, driver } = openTestDatabase(await emptyDatabaseUrl());
  const query = () => reader.query("select word from words", []);
  const number = (value: number) => reader.query("select $1::bigint as number", [value]);
  const [first, ...others] = await Promise.allSettled([number(1), query(), query(), number(2)]);
  expect(first).toMatchObject({ value: [{ number: 1 }] });
  expect(others).toMatchObject([
    { reason: { code: "42P01" } },
    { reason: { code: "42P01" } },
    { value: [{ number: 2 }] },
  ]);
  await expect(reader.query("select 1 / $1::integer", [0])).rejects.toMatchObject({ code: "22012" });
  await driver`create table words (word text)`;
  expect(await query()).toEqual([]);
});

test("concurrent reads share one connection, whose session name ends with 'reader'", async () => {
  const { reader, driver } = openTestDatabase(await emptyDatabaseUrl());
  const query = () => reader.query<{ pid: number }>("select pg_backend_pid() as pid, pg_sleep(0.05)", []);
  const pids = (await Promise.all([query(), query(), query()])).flat().map(({ pid }) => pid);
  expect(new Set(pids).size).toBe(1);
  const [backend] = await driver`select application_name as name from pg_stat_activity where pid = ${pids[0]}`;
  expect(backend.name).toMatch(/^test reader$/);
});

test("a lost connection rejects the running reads with the cause; the next read opens another connection", async () => {
  const { reader, driver } = openTestDatabase(await emptyDatabaseUrl());
  const pid = async () => (await reader.query<{ pid: number }>("select pg_backend_pid() as pid", []))[0]?.pid;
  const before = await pid();
  const sleeping = Array.from({ length: 3 }, () => reader.query("select pg_sleep(30)", []));
  const outcomes = Promise.allSettled(sleeping);
  await expect
    .poll(() => driver`select from pg_stat_activity where query = 'select pg_sleep(30)' and state = 'active'`)
    .toHaveLength(1);
  await driver`select pg_terminate_backend(${before}::integer)`;
  expect(await outcomes).toMatchObject(
    Array(3).fill({ reason: { code: expect.stringMatching(/^(57P01|CONNECTION_CLOSED|ECONNRESET|EPIPE)$/) } }),
  );
  const after = await pid();
  expect(after).toBeTypeOf("number");
  expect(after).not.toBe(before);
});

test("reads reject within a second while the database is unreachable, and succeed within a second after it is reachable again", async () => {
  const proxy = await tcpProxy(await emptyDatabaseUrl());
  const database = connectForTest({ url: proxy.url });
  const query = () => database.reader.query("select 1 as one", []);
  expect(await query()).toEqual([{ one: 1 }]);
  proxy.cut();
  for (let attempt = 0; attempt < 3; attempt++) {
    const startMs = performance.now();
    const outcomes = await Promise.allSettled([query(), query()]);
    expect(outcomes.at(-1)).toMatchObject({ reason: { code: expect.stringMatching(/^(CONN|ECONN|EPIPE)/) } });
    expect(performance.now() - startMs).toBeLessThan(1_000);
  }
  proxy.resume();
  const startMs = performance.now();
  await expect.poll(() => query().catch(() => [])).toEqual([{ one: 1 }]);
  expect(performance.now() - startMs).toBeLessThan(1_000);
  await database.close();
  await expect(query()).rejects.toMatchObject({ code: "CONNECTION_CLOSED" });
});

test("results are freed in the young generation, not kept until the next major collection", async () => {
  const { reader, driver } = openTestDatabase(await emptyDatabaseUrl());
  const text = "select json_agg(n) as list from generate_series(1, 5000) n";
  for (const read of [
    async () => (await reader.query<{ list: number[] }>(text, []))[0]?.list.length,
    async () => (await driver.unsafe<{ list: number[] }[]>(text))[0]?.list.length,
  ]) {
    expect(await read()).toBe(5000);
    const before = usedHeapBytes();
    for (let count = 0; count < 200; count++) await read();
    // All results together have 8 MB.
    expect(usedHeapBytes() - before).toBeLessThan(2_000_000);
  }
});

/** Bytes in use after two minor collections. An object that survives both is moved to the old generation. */
function usedHeapBytes(): number {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as (options: { type: "minor" }) => void;
  for (let times = 0; times < 2; times++) collect({ type: "minor" });
  return getHeapSpaceStatistics().reduce((sum, space) => sum + space.space_used_size, 0);
}
