import type { Analytics, Outcomes } from "@beatmarket/request-log/analytics/analytics.ts";
import type { CallHistogram as Histogram } from "@beatmarket/request-log/analytics/call-histogram.ts";
import type { LimitUse } from "@beatmarket/request-log/analytics/limit-use.ts";
import type { Call, CallSummary } from "@beatmarket/request-log/calls.ts";
import { percentileError } from "@beatmarket/request-log/duration-histogram.ts";
import type { CausedEvent } from "@beatmarket/webhooks/deliveries.ts";
import type { Static } from "typebox";
import { plans } from "../../access/plans.ts";
import type { ApiKey } from "../../resources/api-keys/queries.ts";
import { refusalOf } from "../../resources/request-log/refusal.ts";
import { type AnalyticsResponse, type CallDetail, type CallHistogram, type CallList, noOperation } from "./schema.ts";

export const callJson = (call: CallSummary): Static<typeof CallList>["calls"][number] => ({
  id: call.id,
  time: call.time.toISOString(),
  request_id: call.requestId,
  // Only the operators' log has calls with unknown keys.
  key: { id: call.apiKeyId ?? 0, name: call.keyName, ends_with: call.keyEndsWith },
  method: call.method,
  path: call.path,
  query: call.query,
  operation: call.operation,
  status: call.status,
  duration_ms: call.durationMs,
  error_code: call.errorCode,
  refused_by: call.refusedBy,
  version: call.version,
});

export const callDetailJson = (call: Call, events: readonly CausedEvent[]): Static<typeof CallDetail> => ({
  ...callJson(call),
  error:
    call.errorCode === null
      ? null
      : { code: call.errorCode, message: call.errorMessage ?? "", details: call.errorDetails ?? "" },
  refusal: refusalOf(call),
  headers: [
    call.fromExplorer
      ? { name: "x-explorer-key", value: String(call.apiKeyId) }
      : { name: "authorization", value: `Bearer bm_••••••${call.keyEndsWith ?? ""}` },
    ...Object.entries(call.headers).map(([name, value]) => ({ name, value })),
    ...(call.userAgent === "" ? [] : [{ name: "user-agent", value: call.userAgent }]),
  ],
  body: call.body,
  client_address: call.clientAddress,
  from_explorer: call.fromExplorer,
  events: events.map(({ id, type, createdAt, deliveries }) => ({
    id,
    type,
    created_at: createdAt.toISOString(),
    deliveries: deliveries.map(({ endpointId, ...delivery }) => ({ ...delivery, endpoint_id: endpointId })),
  })),
});

type KeyNames = Pick<ApiKey, "id" | "name" | "endsWith" | "plan">;

export const keyJson = ({ id, name, endsWith }: KeyNames) => ({ id, name, ends_with: endsWith });

export const analyticsJson = (
  analytics: Analytics,
  uses: readonly LimitUse[],
  keys: ReadonlyMap<number, KeyNames>,
): Static<typeof AnalyticsResponse> => ({
  from: analytics.from.toISOString(),
  to: analytics.to.toISOString(),
  bar_seconds: analytics.barSeconds,
  percentile_error: percentileError,
  total: outcomesJson(analytics),
  bars: analytics.bars.map(barJson),
  before:
    analytics.before === null
      ? null
      : {
          bars: analytics.before.bars.map(barJson),
          now: outcomesJson(analytics.before.now),
          earlier: outcomesJson(analytics.before.earlier),
        },
  operations: analytics.operations.map((operation) => ({
    operation: operation.operation === "" ? noOperation : operation.operation,
    ...outcomesJson(operation),
  })),
  errors: analytics.errors.map(({ refusedBy, operation, ...error }) => ({
    ...error,
    refused_by: refusedBy,
    operation: operation === "" ? noOperation : operation,
  })),
  limits: uses.flatMap((use) => {
    const key = keys.get(use.apiKeyId);
    return key === undefined ? [] : limitJson(use, key);
  }),
});

const barJson = (bar: Analytics["bars"][number]) => ({ start: bar.start.toISOString(), ...outcomesJson(bar) });

const outcomesJson = ({ calls, classes, p50, p95, p99 }: Outcomes) => ({
  calls,
  ...classesJson(classes),
  p50_ms: p50,
  p95_ms: p95,
  p99_ms: p99,
});

const classesJson = (classes: Outcomes["classes"]) => ({
  successes: classes[2],
  redirects: classes[3],
  refusals: classes[4],
  failures: classes[5],
});

export const histogramJson = (histogram: Histogram): Static<typeof CallHistogram> => ({
  from: histogram.from.toISOString(),
  to: histogram.to.toISOString(),
  bar_seconds: histogram.barSeconds,
  bars: histogram.bars.map(({ start, classes }) => ({ start: start.toISOString(), ...classesJson(classes) })),
  counted_from: histogram.countedFrom?.toISOString() ?? null,
});

function limitJson({ admitted, busiest, use, refused }: LimitUse, key: KeyNames) {
  const allowed = (name: "minute" | "hour" | "day") =>
    plans[key.plan].find((each) => each.name === name)?.limit ?? null;
  return {
    key: keyJson(key),
    plan: key.plan,
    admitted,
    allowed: { minute: allowed("minute"), hour: allowed("hour"), day: allowed("day") },
    busiest,
    use,
    refused,
  };
}
