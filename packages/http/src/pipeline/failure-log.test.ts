import { ApiError } from "@beatmarket/foundation/errors.ts";
import pino from "pino";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { asApiError } from "../error-response.ts";
import { FailureLog } from "./failure-log.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function openFailureLog() {
  const lines: string[] = [];
  const logger = pino({ base: null, timestamp: false }, { write: (line: string) => lines.push(line) });
  return { lines, log: new FailureLog(logger) };
}

const overload = () => new ApiError(503, "server_error", "Service unavailable", "Later.", { refusedBy: "overload" });
const outage = () => asApiError(Object.assign(new Error("connect refused"), { code: "ECONNREFUSED" }), "id");

it("refusals are logged at most once a second for each kind, with a count and without a stack", () => {
  const { lines, log } = openFailureLog();
  for (let request = 0; request < 5_000; request++) {
    log.add(overload(), `request ${request}`);
    log.add(outage(), "another");
  }
  vi.advanceTimersByTime(1_000);
  log.add(overload(), "later");
  vi.advanceTimersByTime(5_000);
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({ kind: "overload", count: 1, requestId: "request 0" }),
    expect.objectContaining({ kind: "ECONNREFUSED", count: 1, cause: "connect refused" }),
    expect.objectContaining({ kind: "overload", count: 4_999 }),
    expect.objectContaining({ kind: "ECONNREFUSED", count: 4_999 }),
    expect.objectContaining({ kind: "overload", count: 1 }),
  ]);
  expect(lines.join("")).not.toContain("stack");
  expect(vi.getTimerCount()).toBe(0);
});

it("an unexpected error is logged separately, with its stack", () => {
  const { lines, log } = openFailureLog();
  for (const id of ["1", "2"]) log.add(asApiError(new Error("broken"), id), id);
  expect(lines).toHaveLength(2);
  expect(JSON.parse(lines[1] as string)).toMatchObject({
    requestId: "2",
    err: { stack: expect.stringMatching("broken") },
  });
});
