import { Readable } from "node:stream";
import { ApiError, invalidRequest } from "@beatmarket/foundation/errors.ts";
import { onFirstUse } from "@beatmarket/foundation/first-use.ts";
import type { Content, HttpResponse } from "@beatmarket/http/http-response.ts";
import { Representation } from "@beatmarket/http/negotiation/representation.ts";
import { apiHeaders } from "@beatmarket/http/pipeline/api-route.ts";
import type { InnerRequest } from "@beatmarket/http/pipeline/inner-request.ts";
import type { HandlerCall, Route } from "@beatmarket/http/pipeline/route.ts";
import type { ServerDescription } from "./protocol.ts";
import type { ApiReply, Tool } from "./tool.ts";

export interface McpRouteParts {
  path: string;
  publicUrl: string;
  description: ServerDescription;
  /** Called on the first message. */
  tools: () => readonly Tool[];
  /** Signs the states of questions. */
  secret: () => string;
}

const maxMessageBytes = 65_536;

/**
 * A route of the Model Context Protocol for agents with an API key. A message counts as one call of the key. The API
 * checks the permission of each request that a tool makes, and logs the request.
 */
export function mcpRoute({ path, publicUrl, description, tools, secret }: McpRouteParts): Route {
  const handler = onFirstUse(async () => {
    const { mcpHandler } = await import("./protocol.ts");
    return mcpHandler(tools(), description, secret);
  });
  return {
    operationId: null,
    method: "POST",
    path,
    access: { by: "key", permission: null },
    headers: apiHeaders,
    streamsBody: true,
    handle: async (call) => {
      requireOwnOrigin(call, publicUrl, path);
      const body = await readMessage(call);
      const { caller, clock, context } = call;
      if (caller === null) throw new Error("A route with access by key has a caller.");
      const handle = await handler();
      const headers = new Headers(context.webHeaders);
      headers.delete("content-length");
      const request = new Request(`${publicUrl}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
      const desk = { caller, nowMs: clock.nowMs(), request: (inner: InnerRequest) => ask(call, inner) };
      return responseOf(await handle({ request, body, desk }));
    },
    respond: (response) => response as Content,
  };
}

/** Throws 403 for a request from a page of another origin, which could reach this server by DNS rebinding. */
function requireOwnOrigin({ context }: HandlerCall, publicUrl: string, path: string): void {
  const { origin } = context.requestHeaders;
  if (origin === undefined || origin === publicUrl) return;
  throw new ApiError(
    403,
    "forbidden",
    "Foreign origin",
    `The Origin header names another site than this server. Call ${path} from a program, not from a page.`,
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
