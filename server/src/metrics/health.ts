import type { Clock } from "@beatmarket/foundation/clock.ts";
import { notFound } from "@beatmarket/foundation/errors.ts";
import { withTimeout } from "@beatmarket/foundation/with-timeout.ts";
import { type HttpResponse, jsonResponse } from "@beatmarket/http/http-response.ts";
import { openRoute } from "@beatmarket/http/pipeline/open-route.ts";
import type { Route } from "@beatmarket/http/pipeline/route.ts";
import { sql } from "kysely";
import type { Registry } from "prom-client";
import type { Queryable } from "../database/connect.ts";
import { mayReadMetrics } from "./metrics-server.ts";

export interface HealthParts {
  db: Queryable;
  clock: Clock;
  metrics: Pick<Registry, "contentType" | "metrics">;
  /** The token that /metrics requires, except from loopback addresses. */
  metricsToken: string | undefined;
  /** Whether the catalogue index is built. Until then, lists and search are 503. */
  isIndexReady(): boolean;
  /** Whether the storage of producers' files is present; false if another folder or bucket is in its place. */
  isStorageThere(): Promise<boolean>;
  /** Whether the process got a stop signal, so that proxies must send new requests elsewhere. */
  isStopping(): boolean;
  /** The limits that instances count together; null if the settings choose that each process counts for itself. */
  sharedLimits: { readonly problem: string | null } | null;
}

const readyTimeoutMs = 2_000;
const readyForMs = 1_000;
const vital = { isVital: true, headers: { "cache-control": "no-store" } };

/**
 * /healthz is 200 while the process responds. /readyz is 200 if the database responds, the storage is present, the
 * catalogue index is built, and the process got no stop signal. /metrics has Prometheus text, for loopback addresses or
 * with a token.
 */
export const healthRoutes = (parts: HealthParts): Route[] => [
  openRoute("/healthz", () => jsonResponse('{"status":"ok"}'), vital),
  openRoute("/readyz", new Readiness(parts).respond, vital),
  openRoute(
    "/metrics",
    async ({ requestHeaders: { authorization }, remoteAddress, isDirect }) => {
      if (!mayReadMetrics({ authorization, remoteAddress, isDirect }, parts.metricsToken))
        throw notFound("There is nothing at /metrics for this caller.");
      const { metrics } = parts;
      return { status: 200, headers: { "content-type": metrics.contentType }, body: await metrics.metrics() };
    },
    vital,
  ),
];

function notReady(status: string): HttpResponse {
  const { headers, ...response } = jsonResponse(JSON.stringify({ status }), 503);
  return { ...response, headers: { ...headers, "retry-after": "2" } };
}

/** Checks database and storage, at most once a second for all callers. */
class Readiness {
  readonly #db: Queryable;
  readonly #clock: Clock;
  readonly #isIndexReady: () => boolean;
  readonly #isStopping: () => boolean;
  readonly #isStorageThere: () => Promise<boolean>;
  readonly #sharedLimits: HealthParts["sharedLimits"];
  /** The running or last check. Its result is the reason why the process is not ready; null if it is ready. */
  #check: Promise<string | null> | null = null;
  #untilMs = 0;

  constructor({ db, clock, isIndexReady, isStorageThere, isStopping, sharedLimits }: HealthParts) {
    this.#db = db;
    this.#clock = clock;
    this.#isIndexReady = isIndexReady;
    this.#isStorageThere = isStorageThere;
    this.#isStopping = isStopping;
    this.#sharedLimits = sharedLimits;
  }

  readonly respond = async (): Promise<HttpResponse> => {
    if (this.#isStopping()) return notReady("stopping");
    const fault = await this.#currentCheck();
    if (fault !== null) return notReady(fault);
    if (!this.#isIndexReady()) return notReady("catalogue index being built");
    return jsonResponse(JSON.stringify({ status: "ready", ...this.#limits() }));
  };

  /** Shown for information only: the process can answer requests without Redis. */
  #limits(): { limits?: string } {
    if (this.#sharedLimits === null) return {};
    const { problem } = this.#sharedLimits;
    if (problem === null) return { limits: "shared" };
    return { limits: `not shared: ${problem}` };
  }

  #currentCheck(): Promise<string | null> {
    if (this.#check !== null && this.#clock.monotonicMs() < this.#untilMs) return this.#check;
    // All callers share a running check.
    this.#untilMs = Number.POSITIVE_INFINITY;
    this.#check = this.#runCheck().finally(() => {
      this.#untilMs = this.#clock.monotonicMs() + readyForMs;
    });
    return this.#check;
  }

  async #runCheck(): Promise<string | null> {
    try {
      const queried = sql`select 1`.execute(this.#db);
      await withTimeout(queried, readyTimeoutMs, () => new Error("The database does not respond."));
    } catch {
      return "the database does not respond";
    }
    return (await this.#isStorageThere()) ? null : "storage away";
  }
}
