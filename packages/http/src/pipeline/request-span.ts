import type { Span, Tracer } from "@beatmarket/foundation/tracing/tracing.ts";
import type { RequestContext } from "../request-context.ts";

/**
 * Runs the processing of a request, which must not reject, in a span that continues the caller's trace, if `traceparent` names
 * one.
 */
export function inRequestSpan(tracer: Tracer, context: RequestContext, process: () => Promise<void>): Promise<void> {
  const { traceparent } = context.requestHeaders;
  const parent = typeof traceparent === "string" ? traceparent : null;
  // What a read calls (a payment's provider) it calls in the trace of an order. Each asynchronous step of Node's costs more in a
  // place than outside of any.
  const options = { kind: "server", parent, propagates: !context.isRead } as const;
  return tracer.inSpan(context.method, options, (span) =>
    span.isRecording ? process().then(() => describe(span, context)) : process(),
  );
}

/** Neither the path as sent nor the query: they may hold what only the caller should know. */
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
