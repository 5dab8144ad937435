import type { Span, Tracer } from "@beatmarket/foundation/tracing/tracing.ts";
import type { RequestContext } from "../request-context.ts";

/**
 * Runs `process`, which processes a request and must not reject, in a span. The span continues the caller's trace if
 * there is a `traceparent`.
 */
export function inRequestSpan(tracer: Tracer, context: RequestContext, process: () => Promise<void>): Promise<void> {
  const { traceparent } = context.requestHeaders;
  const parent = typeof traceparent === "string" ? traceparent : null;
  // Reads do not propagate the trace, since they call no other system and propagation makes each asynchronous step of
  // Node slower.
  const options = { kind: "server", parent, propagates: !context.isRead } as const;
  return tracer.inSpan(context.method, options, (span) =>
    span.isRecording ? process().then(() => describe(span, context)) : process(),
  );
}

/** Excludes the path as sent and the query, which may contain secrets of the caller. */
function describe(span: Span, { method, prefix, route, status, requestId, error }: RequestContext): void {
  const path = prefix + (route?.path ?? "");
  span.rename(`${method} ${path}`);
  span.set({
    "http.request.method": method,
    "http.route": path,
    "http.response.status_code": status,
    "beatmarket.operation": route?.operationId ?? "none",
    "beatmarket.request_id": requestId,
  });
  if (status >= 500) span.fail(error?.message ?? `status ${status}`);
}
