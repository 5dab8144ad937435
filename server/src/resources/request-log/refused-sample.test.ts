import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { analyse } from "@beatmarket/request-log/analytics/analytics.ts";
import { periodOfSpan } from "@beatmarket/request-log/analytics/period.ts";
import { keptRefusalsAMinute, RequestLog } from "@beatmarket/request-log/request-log.ts";
import { logEntry, readLogEntries } from "@beatmarket/request-log/testing/log-entries.ts";
import pino from "pino";
import { expect, test } from "vitest";
import { testApi } from "../../../test/harness/api.ts";
import { permissions } from "../../access/roles.ts";
import { generateKey } from "../api-keys/key-format.ts";
import { createKey, revokeKey } from "../api-keys/queries.ts";

const clock = new FakeClock();
const api = await testApi({ clock });

test("the log has ten of 900 calls with bad keys from one address, and the metrics count all", async () => {
  const key = generateKey();
  for (let count = 0; count < 900; count++)
    await api.request({
      url: `/v1/beats?${count}`,
      remoteAddress: "192.0.2.1",
      headers: { authorization: `Bearer ${key}` },
    });
  const metrics = (await api.request({ url: "/metrics" })).body;
  expect(metrics).toContain("beatmarket_request_log_sampled_out 890");
  expect(metrics).toContain('beatmarket_requests_total{operation="listBeats",status="429"} 800');
  await expect.poll(() => readLogEntries(api.database)).toHaveLength(10);
});

test("analytics counts an account's calls that the log has sampled out", async () => {
  const newKey = { userId: api.userId, name: "old", plan: "internal", permissions, expiresAt: null } as const;
  const { id } = await createKey(api.database.query, newKey, clock.now());
  await revokeKey(api.database.query, id, "operator", clock.now());
  const log = new RequestLog(api.database, clock, pino({ level: "silent" }));
  const call = { apiKeyId: id, userId: 71, timeMs: clock.nowMs() };
  for (let count = 0; count < 1_000; count++) {
    log.add(logEntry({ ...call, status: 401, refusedBy: "key:revoked", query: String(count) }));
    log.add(logEntry({ ...call, status: 429, refusedBy: "limit:bad-keys", query: String(count) }));
  }
  await log.stop();
  const entries = (await readLogEntries(api.database)).filter(({ userId }) => userId === 71);
  expect(entries).toHaveLength(keptRefusalsAMinute.account);
  const analysis = await analyse(api.database.query, {
    userId: 71,
    period: periodOfSpan("hour", clock.nowMs()),
    nowMs: clock.nowMs(),
  });
  expect(analysis.errors.map(({ refusedBy, calls }) => [refusedBy, calls])).toEqual([
    ["key:revoked", 1_000],
    ["limit:bad-keys", 1_000],
  ]);
});
