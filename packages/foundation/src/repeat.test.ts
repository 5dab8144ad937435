import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { repeat } from "./repeat.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it("a job runs immediately, and again `everyMs` after each run has ended, without overlap", async () => {
  let running = 0;
  let runs = 0;
  const stop = repeat(
    100,
    async () => {
      expect(++running).toBe(1);
      await new Promise((resolve) => setTimeout(resolve, 250));
      running--;
      runs++;
    },
    () => {},
  );
  expect(running).toBe(1);
  await vi.advanceTimersByTimeAsync(250 + 100 + 250);
  expect(runs).toBe(2);
  await stop();
});

it("a failed run is reported, and the job runs again", async () => {
  const errors: unknown[] = [];
  let runs = 0;
  const stop = repeat(
    100,
    async () => {
      if (++runs === 1) throw new Error("not now");
    },
    (error) => errors.push((error as Error).message),
  );
  await vi.advanceTimersByTimeAsync(100);
  expect(errors).toEqual(["not now"]);
  expect(runs).toBe(2);
  await stop();
});

it("a stop aborts the current run, waits for its end and starts no other", async () => {
  let runs = 0;
  const stop = repeat(
    100,
    async (stopping) => {
      runs++;
      await new Promise<void>((resolve) => stopping.addEventListener("abort", () => setTimeout(resolve, 50)));
    },
    () => {},
  );
  let stopped = false;
  const stopping = stop().then(() => {
    stopped = true;
  });
  await vi.advanceTimersByTimeAsync(49);
  expect(stopped).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  await stopping;
  await vi.advanceTimersByTimeAsync(1_000);
  expect(runs).toBe(1);
});
