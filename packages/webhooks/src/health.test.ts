import { describe, expect, test } from "vitest";
import { circuitOpenMs, type Health, type HealthSignal, healthAfter, isSteady, maxConcurrency } from "./health.ts";

const start = Date.UTC(2026, 2, 1);
const hourMs = 3_600_000;
const timeAt = (hours: number) => new Date(start + hours * hourMs);

const newEndpoint: Health = {
  state: "enabled",
  disabledReason: null,
  disabledAt: null,
  failingSince: null,
  consecutiveFailures: 0,
  lastError: null,
  lastSuccessAt: null,
  lastFailureAt: null,
  concurrency: 2,
  resumeAt: null,
  mailDue: null,
  failingMailAt: null,
};
const success = (hours: number): HealthSignal => ({ at: timeAt(hours), error: null, status: 200, timedOut: false });
const failure = (hours: number, overrides: Partial<HealthSignal> = {}): HealthSignal => ({
  at: timeAt(hours),
  error: "It answered 500.",
  status: 500,
  timedOut: false,
  ...overrides,
});
const outcomeOf = (...signals: HealthSignal[]) => signals.reduce(healthAfter, newEndpoint);

describe("a failing endpoint", () => {
  test("is failing from its first failed attempt, and only this attempt makes a mail due", () => {
    const once = outcomeOf(failure(0));
    expect(once).toMatchObject({ failingSince: timeAt(0), consecutiveFailures: 1, mailDue: "failing" });
    const afterMail = { ...once, mailDue: null };
    expect(healthAfter(afterMail, failure(1))).toMatchObject({
      failingSince: timeAt(0),
      mailDue: null,
      lastError: "It answered 500.",
      lastFailureAt: timeAt(1),
    });
  });

  test("is healthy after a success", () => {
    const failed = outcomeOf(...Array.from({ length: 12 }, () => failure(0)));
    expect(healthAfter(failed, success(1))).toMatchObject({
      failingSince: null,
      consecutiveFailures: 0,
      resumeAt: null,
      lastSuccessAt: timeAt(1),
      concurrency: 2,
    });
  });

  test("causes one mail a day if it alternates between failure and success", () => {
    const afterMail = { ...outcomeOf(failure(0), success(1)), mailDue: null };
    expect(healthAfter(afterMail, failure(2)).mailDue).toBeNull();
    expect(healthAfter(afterMail, failure(24)).mailDue).toBe("failing");
  });
});

describe("an endpoint is disabled", () => {
  test("immediately by 410 Gone, with a reason and a mail", () => {
    expect(outcomeOf(failure(0, { status: 410, error: "It answered 410." }))).toMatchObject({
      state: "disabled",
      disabledAt: timeAt(0),
      disabledReason: expect.stringContaining("410"),
      mailDue: "disabled",
    });
  });

  test("by a failure five days after the first failure, and not before", () => {
    expect(outcomeOf(failure(0), failure(5 * 24 - 1)).state).toBe("enabled");
    expect(outcomeOf(failure(0), failure(5 * 24))).toMatchObject({ state: "disabled", mailDue: "disabled" });
  });

  test("only if no delivery succeeded after the first failure", () => {
    expect(outcomeOf(failure(0), success(1), failure(5 * 24)).state).toBe("enabled");
  });
});

describe("the limit of requests in flight", () => {
  test("grows by one with each success, up to the maximum", () => {
    expect(outcomeOf(success(0)).concurrency).toBe(3);
    expect(outcomeOf(...Array.from({ length: 50 }, () => success(0))).concurrency).toBe(maxConcurrency);
  });

  test("falls to one after a time-out, and recovers", () => {
    const timedOut = outcomeOf(success(0), success(0), failure(0, { status: null, timedOut: true }));
    expect(timedOut.concurrency).toBe(1);
    expect(healthAfter(timedOut, success(1)).concurrency).toBe(2);
  });

  test("stays the same after a failure without a time-out", () => {
    expect(outcomeOf(success(0), failure(0)).concurrency).toBe(3);
  });

  test("falls to one at the tenth failure, which also opens the circuit", () => {
    const failed = outcomeOf(...Array.from({ length: 10 }, () => failure(0)));
    expect(failed).toMatchObject({ concurrency: 1, resumeAt: new Date(start + 1_000) });
    expect(outcomeOf(...Array.from({ length: 9 }, () => failure(0))).resumeAt).toBeNull();
  });
});

test("a success is stored if it changes the health, and otherwise once a minute", () => {
  const steady = { ...newEndpoint, concurrency: maxConcurrency, lastSuccessAt: timeAt(0) };
  expect(isSteady(steady, new Date(start + 59_999))).toBe(true);
  expect(isSteady(steady, new Date(start + 60_000))).toBe(false);
  for (const change of [
    { failingSince: timeAt(0) },
    { consecutiveFailures: 1 },
    { concurrency: 15 },
    { lastSuccessAt: null },
  ])
    expect(isSteady({ ...steady, ...change }, timeAt(0))).toBe(false);
});

test("the circuit opens for a second at the tenth consecutive failure, then longer, up to a minute", () => {
  expect([1, 9, 10, 11, 15, 16, 1_000_000].map(circuitOpenMs)).toEqual([0, 0, 1_000, 2_000, 32_000, 60_000, 60_000]);
});
