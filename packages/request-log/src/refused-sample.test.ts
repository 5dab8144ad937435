import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { expect, test } from "vitest";
import { logEntry } from "../testing/log-entries.ts";
import { keptRefusalsAMinute, RefusedSample } from "./request-log.ts";

const clock = new FakeClock();

const badKey = { status: 401, refusedBy: "key" };
const keeps = (
  sample: RefusedSample,
  count: number,
  fields: (index: number) => Partial<Parameters<typeof logEntry>[0]>,
) => Array.from({ length: count }, (_, index) => sample.keeps(logEntry(fields(index)))).filter(Boolean).length;

test("the first calls with bad keys of a network in each minute are kept", () => {
  const sample = new RefusedSample(clock);
  const flood = () =>
    keeps(sample, 5_000, (index) => ({ ...badKey, clientAddress: `2001:db8::${index.toString(16)}` }));
  expect(flood()).toBe(keptRefusalsAMinute.network);
  clock.advance(60_000);
  expect(flood()).toBe(keptRefusalsAMinute.network);
});

test("the number of kept calls with bad keys is bounded for all networks together", () => {
  const sample = new RefusedSample(clock);
  const keptCount = keeps(sample, 5_000, (index) => ({
    ...badKey,
    clientAddress: `10.0.${index >> 8}.${index & 255}`,
  }));
  expect(keptCount).toBe(keptRefusalsAMinute.allNetworks);
});

test("no call of a throttled network is kept, neither with a former key nor with an unknown one", () => {
  const throttled = { status: 429, refusedBy: "limit:bad-keys" };
  expect(keeps(new RefusedSample(clock), 10, (index) => ({ ...throttled, userId: index % 2 === 0 ? null : 7 }))).toBe(
    0,
  );
});

test.each([
  ["a former key", { status: 401, refusedBy: "key:revoked" }],
  ["a full window", { status: 429, refusedBy: "limit:minute" }],
])("the first calls of each account in a minute that are refused for %s are kept", (_, refused) => {
  const sample = new RefusedSample(clock);
  for (const userId of [1, 2])
    expect(keeps(sample, 5_000, () => ({ ...refused, userId }))).toBe(keptRefusalsAMinute.account);
});

test("every admitted call is kept", () => {
  const sample = new RefusedSample(clock);
  for (const status of [200, 304, 400, 403, 404, 409, 503])
    expect(keeps(sample, 1_000, () => ({ userId: 1, apiKeyId: 1, status }))).toBe(1_000);
});
