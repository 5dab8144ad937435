import { describe, expect, test } from "vitest";
import { type Health, healthAfter, isSteady, maxConcurrency, type Reading } from "./health.ts";

const start = Date.UTC(2026, 2, 1);
const hourMs = 3_600_000;
const at = (hours: number) => new Date(start + hours * hourMs);

const fresh: Health = {
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
const success = (hours: number): Reading => ({ at: at(hours), error: null, status: 200, timedOut: false });
const failure = (hours: number, its: Partial<Reading> = {}): Reading => ({
  at: at(hours),
  error: "It answered 500.",
  status: 500,
  timedOut: false,
  ...its,
});
const outcomeOf = (...readings: Reading[]) => readings.reduce(healthAfter, fresh);

describe("an endpoint is failing", () => {
  test("from its first failed attempt, and a mail is due for the first one only", () => {
    const once = outcomeOf(failure(0));
    expect(once).toMatchObject({ failingSince: at(0), consecutiveFailures: 1, mailDue: "failing" });
    const sent = { ...once, mailDue: null };
    expect(healthAfter(sent, failure(1))).toMatchObject({
      failingSince: at(0),
      mailDue: null,
      lastError: "It answered 500.",
      lastFailureAt: at(1),
    });
  });

  test("until a success, which clears everything", () => {
    const failed = outcomeOf(...Array.from({ length: 12 }, () => failure(0)));
    expect(healthAfter(failed, success(1))).toMatchObject({
      failingSince: null,
      consecutiveFailures: 0,
      resumeAt: null,
      lastSuccessAt: at(1),
      concurrency: 2,
    });
  });

  test("and one that comes and goes brings one mail a day", () => {
    const sent = { ...outcomeOf(failure(0), success(1)), mailDue: null };
    expect(healthAfter(sent, failure(2)).mailDue).toBeNull();
    expect(healthAfter(sent, failure(24)).mailDue).toBe("failing");
  });
});

describe("an endpoint is disabled", () => {
  test("at once by 410 Gone, with a reason and a mail", () => {
    expect(outcomeOf(failure(0, { status: 410 }))).toMatchObject({
      state: "disabled",
      disabledAt: at(0),
      disabledReason: expect.stringContaining("410"),
      mailDue: "disabled",
    });
  });

  test("by five days of nothing but failures, and not before", () => {
    expect(outcomeOf(failure(0), failure(5 * 24 - 1)).state).toBe("enabled");
    expect(outcomeOf(failure(0), failure(5 * 24))).toMatchObject({ state: "disabled", mailDue: "disabled" });
  });

  test("not when one delivery of five days came through", () => {
    expect(outcomeOf(failure(0), success(1), failure(5 * 24)).state).toBe("enabled");
  });
});

describe("requests in flight", () => {
  test("grow by one with each success, up to a limit", () => {
    expect(outcomeOf(success(0)).concurrency).toBe(3);
    expect(outcomeOf(...Array.from({ length: 50 }, () => success(0))).concurrency).toBe(maxConcurrency);
  });

  test("fall to one when a receiver lets us wait in vain, and recover", () => {
    const waited = outcomeOf(success(0), success(0), failure(0, { status: null, timedOut: true }));
    expect(waited.concurrency).toBe(1);
    expect(healthAfter(waited, success(1)).concurrency).toBe(2);
  });

  test("are left as they are by a failure that came quickly", () => {
    expect(outcomeOf(success(0), failure(0)).concurrency).toBe(3);
  });

  test("pause after ten failures in a row, one at a time", () => {
    const failed = outcomeOf(...Array.from({ length: 10 }, () => failure(0)));
    expect(failed).toMatchObject({ concurrency: 1, resumeAt: new Date(start + 1_000) });
    expect(outcomeOf(...Array.from({ length: 9 }, () => failure(0))).resumeAt).toBeNull();
  });
});

test("a success is written down while it changes something, and once a minute", () => {
  const steady = { ...fresh, concurrency: maxConcurrency, lastSuccessAt: at(0) };
  expect(isSteady(steady, new Date(start + 59_999))).toBe(true);
  expect(isSteady(steady, new Date(start + 60_000))).toBe(false);
  for (const change of [
    { failingSince: at(0) },
    { consecutiveFailures: 1 },
    { concurrency: 15 },
    { lastSuccessAt: null },
  ])
    expect(isSteady({ ...steady, ...change }, at(0))).toBe(false);
});
