import { timingSafeEqual } from "node:crypto";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { sql } from "kysely";
import type { Registry } from "prom-client";
import { answerWithin } from "../database/connection/answer-within.ts";
import type { Queryable } from "../database/connection/connect.ts";
import { notFound } from "../errors.ts";

export interface OperationsParts {
  db: Queryable;
  metrics: Registry;
  /** Lets /metrics be read from beyond loopback. */
  metricsToken: string | undefined;
  behindProxy: boolean;
}

const readyWithinMs = 2_000;
const vital = { config: { isVital: true } };

/** /healthz: the process answers. /readyz: its database does too. /metrics: Prometheus text, for loopback or a token. */
export async function operationsRoutes(app: FastifyInstance, parts: OperationsParts): Promise<void> {
  app.addHook("onRequest", async (_request, reply) => {
    reply.header("cache-control", "no-store");
  });
  app.get("/healthz", vital, async () => ({ status: "ok" }));
  app.get("/readyz", vital, async (_request, reply) => {
    try {
      await answerWithin(readyWithinMs, sql`select 1`.execute(parts.db), "The database does not answer.");
      return { status: "ready" };
    } catch {
      return reply.code(503).header("retry-after", "2").send({ status: "database out of reach" });
    }
  });
  app.get("/metrics", vital, async (request, reply) => {
    if (!mayReadMetrics(request, parts)) throw notFound("There is nothing at /metrics for this caller.");
    return reply.type(parts.metrics.contentType).send(await parts.metrics.metrics());
  });
}

function mayReadMetrics(request: FastifyRequest, { metricsToken, behindProxy }: OperationsParts): boolean {
  const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? "")?.[1];
  if (metricsToken !== undefined && token !== undefined) {
    const [a, b] = [Buffer.from(token), Buffer.from(metricsToken)];
    return a.length === b.length && timingSafeEqual(a, b);
  }
  const address = request.socket.remoteAddress ?? "";
  return !behindProxy && /^(127\.|::1$|::ffff:127\.)/.test(address);
}
