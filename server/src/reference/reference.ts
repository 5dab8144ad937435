import { notFound } from "../errors.ts";
import { onFirstUse } from "../first-use.ts";
import { chooseEncoding } from "../http/negotiation/encodings.ts";
import { type HttpResponse, jsonResponse } from "../http/pipeline/http-response.ts";
import { openRoute } from "../http/pipeline/open-route.ts";
import type { RequestContext } from "../http/pipeline/request-context.ts";
import type { Route } from "../http/pipeline/route.ts";
import { quoted } from "../text/secrets.ts";
import { contentSecurityPolicy, referencePage, startScript } from "./page.ts";
import { loadScalar } from "./scalar.ts";
import { encoded, type Script } from "./script.ts";

/**
 * `/explorer`: the API reference, for an OpenAPI document. Every file is served from our own origin. Each operation links to
 * the portal's explorer, which sends calls.
 */
export function referenceRoutes(document: object): Route[] {
  const described = Buffer.from(JSON.stringify(withTryItLinks(document)));
  const scripts = onFirstUse(() => Promise.all([loadScalar(), encoded("start", Buffer.from(startScript))]));
  return [
    openRoute("/explorer/openapi.json", () => jsonResponse(described), { headers: { "cache-control": "no-cache" } }),
    openRoute("/explorer", async () => ({
      status: 200,
      headers: {
        "content-type": "text/html; charset=utf-8",
        "content-security-policy": contentSecurityPolicy,
        "x-frame-options": "SAMEORIGIN",
        "referrer-policy": "no-referrer",
        "cache-control": "no-cache",
      },
      body: referencePage((await scripts()).map(({ fileName }) => `/explorer/${fileName}`)),
    })),
    openRoute("/explorer/:file", async (context) => {
      const { file = "" } = context.params;
      // Loading Scalar starts a process, so check the form of the name first.
      const isScript = /^(scalar|start)-[0-9a-f]{16}\.js$/.test(file);
      const script = isScript ? (await scripts()).find(({ fileName }) => fileName === file) : undefined;
      if (script === undefined) throw notFound(`There is no ${quoted(file)} here. The explorer is at /explorer.`);
      return scriptResponse(context, script);
    }),
  ];
}

interface ApiDocument {
  paths: Record<string, Record<string, { operationId: string; description?: string }>>;
}

/** Adds a link to the portal's explorer at the end of each operation's description. */
function withTryItLinks(document: object): object {
  const copy = structuredClone(document) as ApiDocument;
  for (const operations of Object.values(copy.paths))
    for (const operation of Object.values(operations))
      operation.description = `${operation.description ?? ""}\n\n[Try it](/portal/explorer?operation=${operation.operationId})`;
  return copy;
}

function scriptResponse({ requestHeaders }: RequestContext, script: Script): HttpResponse {
  const encoding = chooseEncoding(requestHeaders["accept-encoding"], script.identity.length) ?? "identity";
  return {
    status: 200,
    headers: {
      "content-type": "text/javascript; charset=utf-8",
      "cache-control": "public, max-age=31536000, immutable",
      vary: "Accept-Encoding",
      ...(encoding !== "identity" && { "content-encoding": encoding }),
    },
    body: viewOf(script[encoding]),
  };
}

/** All responses share the bytes. */
const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer => Buffer.from(buffer, byteOffset, byteLength);
