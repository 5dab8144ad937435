import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import pino from "pino";
import { beforeEach, expect, test } from "vitest";
import { readLogEntries, writeLogEntries } from "../../testing/log-entries.ts";
import { requestLogDatabase } from "../../testing/request-log-database.ts";
import { RequestLog } from "../request-log.ts";
import { deleteBeyond, logSize } from "./retention.ts";

const clock = new FakeClock();
const database = await requestLogDatabase();
const { driver } = database;
const dayMs = 86_400_000;

beforeEach(async () => {
  await driver`truncate request_log_blocks, request_log_days`;
});

/** Writes one block of about `bytes` bytes. */
const write = (requestId: string, userId: number | null, ageMs: number, bytes = 1_000) =>
  writeLogEntries(database, [
    { requestId, userId, apiKeyId: userId, timeMs: clock.nowMs() - ageMs, body: "-".repeat(Math.min(4_000, bytes)) },
  ]);

const storedIds = async () => (await readLogEntries(database)).map(({ requestId }) => requestId);

/** The size of the blocks, computed from the blocks. */
const countedBytes = async () => {
  const [row] = await driver`
    select coalesce(sum(octet_length(content) + octet_length(admitted_times) + 200), 0)::bigint as total,
           coalesce(sum(octet_length(content) + octet_length(admitted_times) + 200)
                    filter (where user_id is null), 0)::bigint as anonymous
    from request_log_blocks`;
  return row;
};

test("the recorded size of the log is correct after every write, expiry and deletion", async () => {
  const log = new RequestLog(database, clock, pino({ level: "silent" }));
  for (const [index, ageDays] of [0, 0, 1, 29, 31, 32].entries())
    await write(`call-${index}`, index % 2 === 0 ? 1 : null, ageDays * dayMs, index * 500);
  expect(await logSize(database.query)).toEqual(await countedBytes());
  expect(await log.sweep()).toBe(2);
  expect(await logSize(database.query)).toEqual(await countedBytes());
  expect(log.storedBytes).toBe((await countedBytes())?.total);
  await deleteBeyond(database.query, 2_000);
  expect(await logSize(database.query)).toEqual(await countedBytes());
  expect(await driver`select from request_log_days where day < ${new Date(clock.nowMs() - 31 * dayMs)}`).toHaveLength(
    0,
  );
});

test("a log that is too large loses calls without an account first, then the oldest calls", async () => {
  for (let age = 5; age >= 1; age--) await write(`account-${age}`, 1, age * 1_000);
  for (let age = 5; age >= 1; age--) await write(`stranger-${age}`, null, age * 1_000);
  const { total, anonymous } = await logSize(database.query);
  await deleteBeyond(database.query, total - anonymous);
  expect(await storedIds()).toEqual([5, 4, 3, 2, 1].map((age) => `account-${age}`));
  await deleteBeyond(database.query, Math.ceil(((total - anonymous) * 2) / 5));
  expect(await storedIds()).toEqual(["account-2", "account-1"]);
});

test("calls without an account have at most 1 % of the maximum size", async () => {
  for (let age = 20; age >= 1; age--) await write(`stranger-${age}`, null, age * 1_000);
  const { total } = await logSize(database.query);
  await deleteBeyond(database.query, (total / 4) * 100);
  expect(await storedIds()).toEqual([5, 4, 3, 2, 1].map((age) => `stranger-${age}`));
});

test("a log that is small enough loses nothing, and an empty log causes no endless loop", async () => {
  await write("call", 1, 0);
  const size = await logSize(database.query);
  expect(await deleteBeyond(database.query, size.total)).toEqual(size);
  expect(await storedIds()).toEqual(["call"]);
  await driver`truncate request_log_blocks`;
  await deleteBeyond(database.query, 1);
});

test("blocks that another instance is deleting are skipped", async () => {
  await write("call", 1, 0);
  await driver.begin(async (other) => {
    await other`delete from request_log_blocks`;
    await deleteBeyond(database.query, 1);
  });
  expect(await storedIds()).toEqual([]);
});

test("entries are written while old ones are deleted", async () => {
  for (let age = 50; age >= 1; age--) await write(`old-${age}`, 1, age * dayMs);
  const writes = Array.from({ length: 20 }, (_, index) => write(`new-${index}`, 1, 0));
  await Promise.all([...writes, deleteBeyond(database.query, 50_000), deleteBeyond(database.query, 50_000)]);
  expect(await logSize(database.query)).toEqual(await countedBytes());
  expect((await storedIds()).filter((id) => id.startsWith("new-"))).toHaveLength(20);
});
