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
  metrics: Registry;
  /** The token that /metrics requires from other than loopback addresses. */
  metricsToken: string | undefined;
  /** Whether the catalogue index is built, without which lists and search are 503. */
  isIndexReady(): boolean;
  /** Looks whether the files of producers are there; false: another place stands under their name. */
  isStorageThere(): Promise<boolean>;
  /** Whether the process was told to stop: proxies then send what is new elsewhere. */
  isStopping(): boolean;
  /** Whether limits are counted across instances. Null: in this process alone, by choice. */
  sharedLimits: { readonly problem: string | null } | null;
}

const readyTimeoutMs = 2_000;
const readyForMs = 1_000;
const vital = { isVital: true, headers: { "cache-control": "no-store" } };

/**
 * /healthz: the process responds. /readyz: so does its database, its storage is there, the catalogue index is built, and
 * the process was not told to stop. /metrics: Prometheus text, for loopback or a token.
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

/** Whether database and storage are there, asked at most once a second however many want to know. */
class Readiness {
  readonly #db: Queryable;
  readonly #clock: Clock;
  readonly #isIndexReady: () => boolean;
  readonly #isStopping: () => boolean;
  readonly #isStorageThere: () => Promise<boolean>;
  readonly #sharedLimits: HealthParts["sharedLimits"];
  /** Why the process is not ready; null: it is. */
  #asked: Promise<string | null> | null = null;
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
    const fault = await this.#find();
    if (fault !== null) return notReady(fault);
    if (!this.#isIndexReady()) return notReady("catalogue index being built");
    return jsonResponse(JSON.stringify({ status: "ready", ...this.#limits() }));
  };

  /** Requests are answered without Redis, so it does not decide about readiness. */
  #limits(): { limits?: string } {
    if (this.#sharedLimits === null) return {};
    const { problem } = this.#sharedLimits;
    if (problem === null) return { limits: "shared" };
    return { limits: `not shared: ${problem}` };
  }

  #find(): Promise<string | null> {
    if (this.#asked !== null && this.#clock.monotonicMs() < this.#untilMs) return this.#asked;
    // While it is being asked.
    this.#untilMs = Number.POSITIVE_INFINITY;
    this.#asked = this.#ask().finally(() => {
      this.#untilMs = this.#clock.monotonicMs() + readyForMs;
    });
    return this.#asked;
  }

  async #ask(): Promise<string | null> {
    try {
      const queried = sql`select 1`.execute(this.#db);
      await withTimeout(queried, readyTimeoutMs, () => new Error("The database does not respond."));
    } catch {
      return "database out of reach";
    }
    return (await this.#isStorageThere()) ? null : "storage away";
  }
}
