import type { Logger } from "pino";
import { ApiError } from "../../errors.ts";
import { withoutSecrets } from "../../secrets.ts";
import type { HttpResponse } from "./http-response.ts";
import type { RequestContext } from "./request-context.ts";

/** The body of every error, whatever form was asked for (docs/api/errors.md, Error body). */
export interface ErrorBody {
  status: "error";
  error: { code: string; message: string; details: string };
}

/** Details quote the request, and clients log them: an API key sent in the wrong place is removed. */
export const errorBody = (error: ApiError): ErrorBody => ({
  status: "error",
  error: { code: error.code, message: error.message, details: withoutSecrets(error.details) },
});

/** Maps anything thrown to an error fit to be sent. The unforeseen becomes a 500 that keeps its cause inside. */
export function asApiError(thrown: unknown, requestId: string): ApiError {
  if (thrown instanceof ApiError) return thrown;
  if (isDatabaseOutage(thrown))
    return new ApiError(
      503,
      "server_error",
      "Service unavailable",
      "The service is overloaded or its database is out of reach. Try again in a few seconds.",
      { headers: { "retry-after": "5" }, refusedBy: "overload", cause: thrown },
    );
  return new ApiError(
    500,
    "server_error",
    "Unexpected server error",
    `Something went wrong on our side; it has been logged. Quote request id ${requestId} when you report it.`,
    { cause: thrown },
  );
}

// Of the driver and the network: the connection is gone, or there is no way there. Of PostgreSQL: out of space, memory or
// connections (53…), shutting down, statement timeout, a disk that fails (58…), a primary that has become a replica.
const outage = /^(CONNECT.*|ECONN\w+|ENOENT|EPIPE|ETIMEDOUT|E(HOST|NET)UNREACH|53\w{3}|57P0\d|57014|58\w{3}|25006)$/;

/** Also where a library wraps it in an error of its own, as Better Auth does. */
function isDatabaseOutage(thrown: unknown): boolean {
  const { code, cause } = thrown as { code?: unknown; cause?: { code?: unknown } };
  return [code, cause?.code].some((its) => typeof its === "string" && outage.test(its));
}

/** The response of a request that failed or was refused, which it notes in the context. Server errors are logged. */
export function errorResponse(context: RequestContext, thrown: unknown, logger: Logger): HttpResponse {
  const { requestId } = context;
  const error = asApiError(thrown, requestId);
  context.error = error;
  if (error.status >= 500) logger.error({ err: error.cause ?? error, requestId }, "request failed");
  return {
    status: error.status,
    headers: { ...error.headers, "content-type": "application/json; charset=utf-8" },
    body: JSON.stringify(errorBody(error)),
  };
}
