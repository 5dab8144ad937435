import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { openDocsIndex } from "@beatmarket/docs-search/docs-index.ts";
import { ApiError, invalidRequest } from "@beatmarket/foundation/errors.ts";
import { onFirstUse } from "@beatmarket/foundation/first-use.ts";
import type { Content, HttpResponse } from "@beatmarket/http/http-response.ts";
import { Representation } from "@beatmarket/http/negotiation/representation.ts";
import { apiHeaders } from "@beatmarket/http/pipeline/api-route.ts";
import type { InnerRequest } from "@beatmarket/http/pipeline/inner-request.ts";
import type { HandlerCall, Route } from "@beatmarket/http/pipeline/route.ts";
import { notBuilt } from "../portal/web-app.ts";
import type { ApiReply, Tool } from "@beatmarket/agent-tools/tool.ts";
import { findBeats, getBeat, similarBeats } from "./tools/beats.ts";
import { buy, checkLicense, Quotes, quote } from "./tools/buy.ts";
import { docs } from "./tools/docs.ts";

export interface McpParts {
  publicUrl: string;
  currency: string;
  /** The version of the service. */
  version: string;
  /** The folder with the portal's build, which includes the search index of the docs. */
  folder: string;
  /** The current secret signs quotes and states. Signatures of previous secrets stay valid. */
  secrets: () => readonly [current: string, ...previous: string[]];
}

const maxMessageBytes = 65_536;

/**
 * POST /mcp is the Model Context Protocol for agents with an API key (docs/agents.md). A message counts as one call of
 * the key. The API checks the permissions of a tool's requests, and logs them.
 */
export function mcpRoute(parts: McpParts): Route {
  const handler = onFirstUse(async () => {
    const { mcpHandler } = await import("@beatmarket/agent-tools/protocol.ts");
    return mcpHandler(toolsOf(parts), parts.version, () => parts.secrets()[0]);
  });
  return {
    operationId: null,
    method: "POST",
    path: "/mcp",
    access: { by: "key", permission: null },
    headers: apiHeaders,
    streamsBody: true,
    handle: async (call) => {
      requireOwnOrigin(call, parts.publicUrl);
      const body = await readMessage(call);
      const { caller, clock, context } = call;
      if (caller === null) throw new Error("A route with access by key has a caller.");
      const handle = await handler();
      const headers = new Headers(context.webHeaders);
      headers.delete("content-length");
      const request = new Request(`${parts.publicUrl}/mcp`, { method: "POST", headers, body: JSON.stringify(body) });
      const desk = { caller, nowMs: clock.nowMs(), request: (inner: InnerRequest) => ask(call, inner) };
      return responseOf(await handle({ request, body, desk }));
    },
    respond: (response) => response as Content,
  };
}

/** The tools. There are only seven, because each takes space in the context of every conversation. */
const toolsOf = ({ publicUrl, currency, secrets, folder }: McpParts): Tool[] => {
  const quotes = new Quotes(secrets);
  const readIndex = onFirstUse(async () => openDocsIndex(await readBuiltIndex(folder)));
  return [
    findBeats(currency),
    getBeat(publicUrl, currency),
    similarBeats,
    quote(quotes, currency),
    buy(quotes),
    checkLicense,
    docs(publicUrl, readIndex),
  ];
};

async function readBuiltIndex(folder: string): Promise<object> {
  try {
    return JSON.parse(await readFile(join(folder, ".vite/docs-search.json"), "utf8")) as object;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") throw notBuilt();
    throw error;
  }
}

/** Throws 403 for a request from a page of another origin, which could reach this server by DNS rebinding. */
function requireOwnOrigin({ context }: HandlerCall, publicUrl: string): void {
  const { origin } = context.requestHeaders;
  if (origin === undefined || origin === publicUrl) return;
  throw new ApiError(
    403,
    "forbidden",
    "Foreign origin",
    "The Origin header names another site than this server. Call /mcp from a program, not from a page.",
    { refusedBy: "origin" },
  );
}

async function readMessage({ context, streamBody }: HandlerCall): Promise<unknown> {
  const startedMs = performance.now();
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of streamBody() as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxMessageBytes)
      throw new ApiError(
        413,
        "invalid_request",
        "Message too large",
        `A message has at most ${maxMessageBytes} bytes.`,
      );
    chunks.push(chunk);
  }
  context.body = Buffer.concat(chunks);
  context.waitedMs += performance.now() - startedMs;
  try {
    return JSON.parse(context.body.toString());
  } catch {
    throw invalidRequest("The body must be one JSON-RPC message, as JSON.", "body");
  }
}

async function ask(call: HandlerCall, inner: InnerRequest): Promise<ApiReply> {
  const content = await call.request(inner);
  const isPlain = content instanceof Representation;
  if (!isPlain && content.body instanceof Readable) throw new Error(`${inner.url} responds with a stream.`);
  const status = isPlain ? 200 : content.status;
  const json = JSON.parse(String(content.body)) as { data?: Record<string, unknown>; error?: { details: string } };
  return { status, data: json.data ?? {}, refusal: status < 400 ? null : (json.error?.details ?? `Status ${status}.`) };
}

async function responseOf(response: Response): Promise<HttpResponse> {
  const contentType = response.headers.get("content-type");
  return {
    status: response.status,
    headers: contentType === null ? {} : { "content-type": contentType },
    body: await response.text(),
  };
}
