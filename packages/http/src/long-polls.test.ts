import { beforeEach, expect, test, vi } from "vitest";
import { LongPolls } from "./long-polls.ts";

let polls: LongPolls<number>;
const callOf = (closed: AbortSignal) => ({ closed, context: { waitedMs: 0 } });
const open = callOf(new AbortController().signal);
const isAfter = (position: number) => (notice: number) => notice > position;
const isDone = async (wait: Promise<boolean>) =>
  (await Promise.race([wait.then(() => "done"), Promise.resolve("waits")])) === "done";

beforeEach(() => {
  vi.useFakeTimers();
  polls = new LongPolls(3);
});

test("a notice ends only the waits whose `isNews` returns true", async () => {
  const [afterFive, afterSix] = [polls.wait(isAfter(5), 1_000, open), polls.wait(isAfter(6), 1_000, open)];
  polls.notify(6);
  expect(await afterFive).toBe(true);
  expect(await isDone(afterSix)).toBe(false);
  expect(polls.size).toBe(1);
});

test("a wait ends after its time", async () => {
  const wait = polls.wait(isAfter(0), 1_000, open);
  vi.advanceTimersByTime(999);
  expect(await isDone(wait)).toBe(false);
  vi.advanceTimersByTime(1);
  expect(await wait).toBe(false);
  expect(polls.size).toBe(0);
});

test("a client that closes its connection is removed immediately", async () => {
  const client = new AbortController();
  const wait = polls.wait(isAfter(0), 1_000, callOf(client.signal));
  client.abort();
  expect(await wait).toBe(false);
  expect(polls.size).toBe(0);
  expect(vi.getTimerCount()).toBe(0);
});

test("stopping ends all waits, and later waits end immediately", async () => {
  const waits = [polls.wait(isAfter(0), 1_000, open), polls.wait(isAfter(0), 1_000, open)];
  polls.stop();
  expect(await Promise.all([...waits, polls.wait(isAfter(0), 1_000, open)])).toEqual([false, false, false]);
  expect(polls.size).toBe(0);
});

test("waits beyond the limit are refused with 503 and Retry-After", async () => {
  for (let n = 0; n < 3; n++) polls.wait(isAfter(0), 1_000, open);
  await expect(polls.wait(isAfter(0), 1_000, open)).rejects.toMatchObject({
    status: 503,
    headers: { "retry-after": "10" },
  });
});
