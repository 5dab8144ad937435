import { systemClock } from "@beatmarket/foundation/clock.ts";
import type { ApiError } from "@beatmarket/foundation/errors.ts";
import type { InjectOptions, Response } from "light-my-request";
import pino from "pino";
import { AccessWatch } from "../src/admission/access-watch.ts";
import { AnonymousPacing } from "../src/admission/anonymous-pacing.ts";
import { ConcurrencyLimiter } from "../src/admission/concurrency-limiter.ts";
import { ResponseCache } from "../src/cache/response-cache.ts";
import { type Admission, Pipeline } from "../src/pipeline/pipeline.ts";
import type { Route } from "../src/pipeline/route.ts";
import { Router } from "../src/pipeline/router.ts";
import type { WireVersions } from "../src/pipeline/wire-version.ts";
import { LocalConnectionCounts } from "../src/transport/connection-counts.ts";
import { ConnectionLimits } from "../src/transport/connection-limits.ts";
import { ResponseWriter } from "../src/transport/response-writer.ts";
import { inject } from "./inject.ts";

/** No limits, for a server that only one test file uses. */
export const unlimitedConnections = () => new ConnectionLimits(new LocalConnectionCounts(systemClock), () => true);

/** Content that never changes. */
const content = { current: 1, bumpAll: () => {} };

const onlyVersion = { date: "2026-11-20", reshapeOf: () => undefined };

/** Admits every request. */
const noChecks: Admission = { authenticate: () => {}, limit: () => {}, authorize: () => {} };

export function openRoutes(
  routes: readonly Route[],
  admission = noChecks,
  writer = new ResponseWriter(),
  versions: WireVersions = { choose: () => onlyVersion, first: onlyVersion },
) {
  const router = new Router([
    {
      prefixes: [""],
      routes,
      fallback: { access: { by: "anyone" }, notFound: (path) => `There is nothing at ${path}.` },
    },
  ]);
  const concurrency = new ConcurrencyLimiter();
  const { handle } = new Pipeline({
    context: { fixedHeaders: { "x-content-type-options": "nosniff" } },
    router,
    concurrency,
    anonymousPacing: new AnonymousPacing(systemClock),
    admission,
    writer,
    errorPage: async ({ status }: ApiError) => ({ status, headers: { "content-type": "text/html; charset=utf-8" } }),
    accessWatch: new AccessWatch(systemClock),
    connections: { vouchFor: () => {} },
    clock: systemClock,
    primary: {},
    versions,
    version: content,
    cache: new ResponseCache(content),
    reads: { run: (read: (server: object) => unknown) => read({}) },
    record: () => {},
    documentation: "/explorer",
    errorDocumentation: "/errors",
    logger: pino({ level: "silent" }),
  } as never);
  return { handle, inject: (options: InjectOptions | string): Promise<Response> => inject({ handle }, options) };
}
