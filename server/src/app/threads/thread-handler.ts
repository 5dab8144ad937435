import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { ApiError } from "@beatmarket/foundation/errors.ts";
import type { Pipeline } from "@beatmarket/http/pipeline/pipeline.ts";
import { RequestContext } from "@beatmarket/http/request-context.ts";
import type { ConnectionLimits } from "@beatmarket/http/transport/connection-limits.ts";
import { checkHead } from "@beatmarket/http/transport/request-head.ts";
import type { ResponseWriter } from "@beatmarket/http/transport/response-writer.ts";
import type { Forwarder } from "./forwarder.ts";

interface HandlerParts {
  pipeline: Pipeline;
  forwarder: Forwarder;
  writer: ResponseWriter;
  connections: ConnectionLimits;
  /** Refusals of requests that cannot be forwarded, by their headers. */
  refusals: WeakMap<IncomingHttpHeaders, ApiError>;
}

/** The reads of the catalogue, whose cost grows with the number of calls. */
const catalogueReads = /^\/v1\/(beats(\/\d{1,15}(\/similar)?)?|users\/\d{1,15}|genres|producers|search)(\?|$)/;
const liveKey = /^bearer +(?!bm_test_)\S+ *$/i;

/** Whether a thread answers a request: a read of the catalogue with a live key, without a body. */
export const isOfThread = ({
  method,
  url = "",
  headers,
}: Pick<IncomingMessage, "method" | "url" | "headers">): boolean =>
  (method === "GET" || method === "HEAD") &&
  liveKey.test(headers.authorization ?? "") &&
  catalogueReads.test(url) &&
  headers["transfer-encoding"] === undefined &&
  (headers["content-length"] ?? "0") === "0" &&
  headers["x-http-method-override"] === undefined;

/** Answers the requests of a thread's connections. The returned function never rejects. */
export const threadHandler =
  ({ pipeline, forwarder, writer, connections, refusals }: HandlerParts) =>
  async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (isOfThread(request) || !hasValidHead(request)) return pipeline.handle(request, response);
    try {
      const { answer, isVouchedFor } = await forwarder.forward(request, response);
      if (isVouchedFor) connections.vouchFor(request.socket);
      writer.send(new RequestContext(request), response, answer);
    } catch (error) {
      if (response.headersSent || response.destroyed) return;
      refusals.set(request.headers, unavailable(error));
      await pipeline.handle(request, response);
    }
  };

/** The pipeline refuses other heads. */
function hasValidHead(request: IncomingMessage): boolean {
  try {
    checkHead(request);
    return true;
  } catch {
    return false;
  }
}

const unavailable = (cause: unknown): ApiError =>
  new ApiError(
    503,
    "server_error",
    "Service unavailable",
    "The server is starting or stopping. Try again in 2 seconds.",
    {
      headers: { "retry-after": "2" },
      cause,
    },
  );
