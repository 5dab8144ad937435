import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import pino from "pino";
import { expect, test } from "vitest";
import { testApi } from "../../../test/harness/api.ts";
import { logEntry, readLogEntries } from "../../../test/harness/database/log-entries.ts";
import { permissions } from "../../access/permissions.ts";
import { generateKey } from "../api-keys/key-format.ts";
import { createKey, revokeKey } from "../api-keys/queries.ts";
import { analyse } from "./analytics/analytics.ts";
import { periodOfSpan } from "./analytics/period.ts";
import { keptRefusalsAMinute, RefusedSample, RequestLog } from "./request-log.ts";

const clock = new FakeClock();
const api = await testApi({ clock });

const badKey = { status: 401, refusedBy: "key" };
const keeps = (
  sample: RefusedSample,
  count: number,
  fields: (index: number) => Partial<Parameters<typeof logEntry>[0]>,
) => Array.from({ length: count }, (_, index) => sample.keeps(logEntry(fields(index)))).filter(Boolean).length;

test("of one network's calls with bad keys the first of each minute are kept", () => {
  const sample = new RefusedSample(clock);
  const flood = () =>
    keeps(sample, 5_000, (index) => ({ ...badKey, clientAddress: `2001:db8::${index.toString(16)}` }));
  expect(flood()).toBe(keptRefusalsAMinute.network);
  clock.advance(60_000);
  expect(flood()).toBe(keptRefusalsAMinute.network);
});

test("of all networks together so many are kept, however many there are", () => {
  const sample = new RefusedSample(clock);
  const kept = keeps(sample, 5_000, (index) => ({ ...badKey, clientAddress: `10.0.${index >> 8}.${index & 255}` }));
  expect(kept).toBe(keptRefusalsAMinute.allNetworks);
});

test("none of a throttled network is kept, with a former key or an unknown one", () => {
  const throttled = { status: 429, refusedBy: "limit:bad-keys" };
  expect(keeps(new RefusedSample(clock), 10, (index) => ({ ...throttled, userId: index % 2 === 0 ? null : 7 }))).toBe(
    0,
  );
});

test.each([
  ["a former key", { status: 401, refusedBy: "key:revoked" }],
  ["a full window", { status: 429, refusedBy: "limit:minute" }],
])("of an account's calls refused for %s the first of each minute are kept, for each account", (_, refused) => {
  const sample = new RefusedSample(clock);
  for (const userId of [1, 2])
    expect(keeps(sample, 5_000, () => ({ ...refused, userId }))).toBe(keptRefusalsAMinute.account);
});

test("every admitted call is kept", () => {
  const sample = new RefusedSample(clock);
  for (const status of [200, 304, 400, 403, 404, 409, 503])
    expect(keeps(sample, 1_000, () => ({ userId: 1, apiKeyId: 1, status }))).toBe(1_000);
});

test("900 calls with bad keys from one address leave ten in the log, and the metrics count all", async () => {
  const key = generateKey();
  for (let made = 0; made < 900; made++)
    await api.request({
      url: `/v1/beats?${made}`,
      remoteAddress: "192.0.2.1",
      headers: { authorization: `Bearer ${key}` },
    });
  const metrics = (await api.request({ url: "/metrics" })).body;
  expect(metrics).toContain("beatmarket_request_log_sampled_out 890");
  expect(metrics).toContain('beatmarket_requests_total{operation="listBeats",status="429"} 800');
  await expect.poll(() => readLogEntries(api.database)).toHaveLength(10);
});

test("analytics counts an account's calls that the log does not keep", async () => {
  const wanted = { userId: api.userId, name: "old", plan: "internal", permissions, expiresAt: null } as const;
  const { id } = await createKey(api.database.query, wanted, clock.now());
  await revokeKey(api.database.query, id, "operator", clock.now());
  const log = new RequestLog(api.database, clock, pino({ level: "silent" }));
  const call = { apiKeyId: id, userId: 71, timeMs: clock.nowMs() };
  for (let made = 0; made < 1_000; made++) {
    log.add(logEntry({ ...call, status: 401, refusedBy: "key:revoked", query: String(made) }));
    log.add(logEntry({ ...call, status: 429, refusedBy: "limit:bad-keys", query: String(made) }));
  }
  await log.stop();
  const kept = (await readLogEntries(api.database)).filter(({ userId }) => userId === 71);
  expect(kept).toHaveLength(keptRefusalsAMinute.account);
  const found = await analyse(api.database.query, {
    userId: 71,
    period: periodOfSpan("hour", clock.nowMs()),
    nowMs: clock.nowMs(),
  });
  expect(found.errors.map(({ refusedBy, calls }) => [refusedBy, calls])).toEqual([
    ["key:revoked", 1_000],
    ["limit:bad-keys", 1_000],
  ]);
});
