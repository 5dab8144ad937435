import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { notFound } from "../errors.ts";
import { onFirstUse } from "../first-use.ts";
import { contentSecurityPolicy, explorerPage, startScript } from "./page.ts";
import { loadScalar } from "./scalar.ts";
import { encoded, type Script } from "./script.ts";

/**
 * `/explorer`: the API's reference. Everything it needs comes from our own origin. Calls are made in the portal, which each
 * operation leads to. `document` is the API's OpenAPI document.
 */
export async function explorerRoutes(app: FastifyInstance, { document }: { document: object }): Promise<void> {
  const described = JSON.stringify(withWaysToTry(document));
  const scripts = onFirstUse(() => Promise.all([loadScalar(), encoded("start", Buffer.from(startScript))]));

  app.get("/explorer/openapi.json", async (_request, reply) =>
    reply.type("application/json; charset=utf-8").header("cache-control", "no-cache").send(described),
  );

  app.get("/explorer", async (_request, reply) => {
    const urls = (await scripts()).map(({ fileName }) => `/explorer/${fileName}`);
    return reply
      .headers({
        "content-security-policy": contentSecurityPolicy,
        "x-frame-options": "SAMEORIGIN",
        "referrer-policy": "no-referrer",
        "x-content-type-options": "nosniff",
        "cache-control": "no-cache",
      })
      .type("text/html; charset=utf-8")
      .send(explorerPage(urls));
  });

  app.get<{ Params: { file: string } }>("/explorer/:file", async (request, reply) => {
    const { file } = request.params;
    const script = (await scripts()).find(({ fileName }) => fileName === file);
    if (script === undefined) throw notFound(`There is no ${file} here. The explorer is at /explorer.`);
    return sendScript(request, reply, script);
  });
}

interface ApiDocument {
  paths: Record<string, Record<string, { operationId: string; description?: string }>>;
}

/** The document, in which each operation's description ends in a link to where it can be called. */
function withWaysToTry(document: object): object {
  const copy = structuredClone(document) as ApiDocument;
  for (const operations of Object.values(copy.paths))
    for (const operation of Object.values(operations))
      operation.description = `${operation.description ?? ""}\n\n[Try it](/portal/explorer?operation=${operation.operationId})`;
  return copy;
}

function sendScript(request: FastifyRequest, reply: FastifyReply, script: Script): FastifyReply {
  const accepted = String(request.headers["accept-encoding"] ?? "");
  const encoding = /\bbr\b(?!;q=0)/.test(accepted) ? "br" : /\bgzip\b(?!;q=0)/.test(accepted) ? "gzip" : "identity";
  if (encoding !== "identity") reply.header("content-encoding", encoding);
  return reply
    .headers({
      "cache-control": "public, max-age=31536000, immutable",
      vary: "Accept-Encoding",
      "x-content-type-options": "nosniff",
    })
    .type("text/javascript; charset=utf-8")
    .send(script[encoding]);
}
