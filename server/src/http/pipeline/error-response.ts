import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import { ApiError, invalidRequest } from "../../errors.ts";
import { withoutSecrets } from "../../secrets.ts";

/** The one error body there is, whatever form was asked for (contract 7). */
export interface ErrorBody {
  status: "error";
  error: { code: string; message: string; details: string };
}

/** Details repeat what was wrong, and clients write them into their logs: a key sent in a wrong place is not in them. */
export const errorBody = (error: ApiError): ErrorBody => ({
  status: "error",
  error: { code: error.code, message: error.message, details: withoutSecrets(error.details) },
});

/** Turns anything thrown into an error fit to be sent. What is unforeseen becomes a 500 that keeps its cause inside. */
export function asApiError(thrown: unknown, requestId: string): ApiError {
  if (thrown instanceof ApiError) return thrown;
  const { code = "", statusCode, message } = thrown as Partial<FastifyError>;
  switch (code) {
    case "FST_ERR_CTP_BODY_TOO_LARGE":
      return new ApiError(413, "invalid_request", "Payload too large", "The body may have at most 100 kB.");
    case "FST_ERR_CTP_INVALID_MEDIA_TYPE":
      return new ApiError(
        415,
        "invalid_request",
        "Unsupported media type",
        "Send the body as JSON with Content-Type: application/json.",
      );
    case "FST_ERR_CTP_EMPTY_JSON_BODY":
      return invalidRequest("The body is empty; a JSON object is expected.");
    case "FST_ERR_CTP_INVALID_JSON_BODY":
    case "FST_ERR_CTP_INVALID_CONTENT_LENGTH":
      return invalidRequest(`The body is not valid JSON: ${message}.`);
  }
  if (statusCode === 503 || isDatabaseOutage(thrown))
    return new ApiError(
      503,
      "server_error",
      "Service unavailable",
      "The service is overloaded or its database is out of reach. Try again in a few seconds.",
      { headers: { "retry-after": "5" }, refusedBy: "overload", cause: thrown },
    );
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
    return new ApiError(statusCode, "invalid_request", "Invalid request", message ?? "The request is malformed.");
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

/** Also where a library tells of it in an error of its own, as Better Auth does. */
function isDatabaseOutage(thrown: unknown): boolean {
  const { code, cause } = thrown as { code?: unknown; cause?: { code?: unknown } };
  return [code, cause?.code].some((its) => typeof its === "string" && outage.test(its));
}

/** Sends an error as contract 7 has it and leaves it in the exchange for the request log. */
export function sendError(request: FastifyRequest, reply: FastifyReply, thrown: unknown): FastifyReply {
  const error = asApiError(thrown, request.exchange.requestId);
  request.exchange.error = error;
  if (error.status >= 500)
    request.log.error({ err: error.cause ?? error, requestId: request.exchange.requestId }, "request failed");
  return reply.code(error.status).headers(error.headers).type("application/json; charset=utf-8").send(errorBody(error));
}
