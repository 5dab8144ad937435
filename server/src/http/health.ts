import { timingSafeEqual } from "node:crypto";
import { sql } from "kysely";
import type { Registry } from "prom-client";
import type { Queryable } from "../database/connection/connect.ts";
import { notFound } from "../errors.ts";
import { withTimeout } from "../with-timeout.ts";
import { type HttpResponse, jsonResponse } from "./pipeline/http-response.ts";
import { openRoute } from "./pipeline/open-route.ts";
import type { RequestContext } from "./pipeline/request-context.ts";
import type { Route } from "./pipeline/route.ts";

export interface HealthParts {
  db: Queryable;
  metrics: Registry;
  /** The token that /metrics requires from other than loopback addresses. */
  metricsToken: string | undefined;
}

const readyTimeoutMs = 2_000;
const vital = { isVital: true, headers: { "cache-control": "no-store" } };

/** /healthz: the process responds. /readyz: so does its database. /metrics: Prometheus text, for loopback or a token. */
export const healthRoutes = (parts: HealthParts): Route[] => [
  openRoute("/healthz", () => jsonResponse('{"status":"ok"}'), vital),
  openRoute("/readyz", () => readiness(parts.db), vital),
  openRoute(
    "/metrics",
    async (context) => {
      if (!mayReadMetrics(context, parts.metricsToken)) throw notFound("There is nothing at /metrics for this caller.");
      const { metrics } = parts;
      return { status: 200, headers: { "content-type": metrics.contentType }, body: await metrics.metrics() };
    },
    vital,
  ),
];

async function readiness(db: Queryable): Promise<HttpResponse> {
  try {
    const queried = sql`select 1`.execute(db);
    await withTimeout(queried, readyTimeoutMs, () => new Error("The database does not respond."));
    return jsonResponse('{"status":"ready"}');
  } catch {
    const { headers, ...response } = jsonResponse('{"status":"database out of reach"}', 503);
    return { ...response, headers: { ...headers, "retry-after": "2" } };
  }
}

function mayReadMetrics(
  { requestHeaders, remoteAddress, isDirect }: RequestContext,
  metricsToken: string | undefined,
): boolean {
  const token = /^Bearer (.+)$/.exec(requestHeaders.authorization ?? "")?.[1];
  if (metricsToken !== undefined && token !== undefined) {
    const [a, b] = [Buffer.from(token), Buffer.from(metricsToken)];
    return a.length === b.length && timingSafeEqual(a, b);
  }
  return isDirect && /^(127\.|::1$|::ffff:127\.)/.test(remoteAddress);
}
