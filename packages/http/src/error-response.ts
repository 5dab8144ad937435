import { ApiError, Unavailable } from "@beatmarket/foundation/errors.ts";
import { clippedWithoutSecrets } from "@beatmarket/foundation/text/secrets.ts";
import type { HttpResponse } from "./http-response.ts";
import { acceptsProblems, problemType } from "./negotiation/forms.ts";
import { type ErrorPage, prefersHtml } from "./pipeline/error-page.ts";
import type { FailureLog } from "./pipeline/failure-log.ts";
import type { RequestContext } from "./request-context.ts";

/** The body of an error, the same in both forms (docs/api/errors.md, Error body). */
export interface ErrorBody {
  status: "error";
  error: { code: string; message: string; details: string };
}

/** Longer than any message of ours. A text can exceed it only if it quotes the request, and is then clipped. */
const maxDetailsLength = 2_000;

/** A browser reloads the page of a 503 after this time. Independent of Retry-After, which may be shorter. */
const refreshSeconds = "5";

/**
 * Clips `details` and redacts secrets in it: it may quote the request, and a client may have sent its key in the wrong
 * place.
 */
export const errorBody = (error: ApiError): ErrorBody => ({
  status: "error",
  error: { code: error.code, message: error.message, details: clippedWithoutSecrets(error.details, maxDetailsLength) },
});

/** An error as problem details (RFC 9457), for clients that accept this media type. */
export interface Problem {
  /** URL of the documentation of the status. */
  type: string;
  title: string;
  status: number;
  detail: string;
  code: string;
  request_id: string;
}

const problemOf = (apiError: ApiError, { requestId, publicUrl }: RequestContext, documentation: string): Problem => {
  const { code, message, details } = errorBody(apiError).error;
  const { status } = apiError;
  const type = `${publicUrl}${documentation}#${status}`;
  return { type, title: message, status, detail: details, code, request_id: requestId };
};

/**
 * Maps any thrown value to an ApiError: `Unavailable` and outages of the database to 503, unexpected errors to 500. The
 * thrown value is attached as the cause, which is never sent.
 */
export function asApiError(thrown: unknown, requestId: string): ApiError {
  if (thrown instanceof ApiError) return thrown;
  if (thrown instanceof Unavailable) return unavailable(thrown.details, thrown);
  if (isDatabaseOutage(thrown))
    return unavailable("The service is overloaded or its database is out of reach.", thrown);
  return new ApiError(
    500,
    "server_error",
    "Unexpected server error",
    `Something went wrong on our side; it has been logged. Quote request id ${requestId} when you report it.`,
    { cause: thrown },
  );
}

const unavailable = (details: string, cause: unknown): ApiError =>
  new ApiError(503, "server_error", "Service unavailable", `${details} Try again in a few seconds.`, {
    headers: { "retry-after": "5" },
    refusedBy: "overload",
    cause,
  });

// Driver and network: connection lost, host unreachable. PostgreSQL: out of space, memory or connections (53…),
// shutting down, statement and lock timeout, disk failure (58…), a primary demoted to a replica.
const outage =
  /^(CONNECT.*|ECONN\w+|ENOENT|EPIPE|ETIMEDOUT|E(HOST|NET)UNREACH|53\w{3}|57P0\d|57014|55P03|58\w{3}|25006)$/;

/** Checks the error and its cause, since a library may have wrapped the driver's error. */
function isDatabaseOutage(thrown: unknown): boolean {
  const { code, cause } = thrown as { code?: unknown; cause?: { code?: unknown } };
  return [code, cause?.code].some((each) => typeof each === "string" && outage.test(each));
}

export interface ErrorResponseParts {
  failures: FailureLog;
  errorPage: ErrorPage;
  /** The path of the page about errors, with a section for each status. */
  errorDocumentation: string;
}

/**
 * Builds the response of a failed or refused request and records the error in the context. Logs server errors. On a
 * route that is open to anyone, a browser gets an error page, or JSON if the page cannot be rendered.
 */
export async function errorResponse(
  context: RequestContext,
  thrown: unknown,
  { failures, errorPage, errorDocumentation }: ErrorResponseParts,
): Promise<HttpResponse> {
  const { requestId } = context;
  const error = asApiError(thrown, requestId);
  context.error = error;
  if (error.status >= 500) failures.add(error, requestId);
  const isOpen = context.route?.access.by === "anyone";
  const accept = context.requestHeaders.accept ?? "";
  if (isOpen && prefersHtml(accept)) {
    const page = await errorPage(error, context).catch(() => null);
    const refresh = error.status === 503 && context.isRead ? { refresh: refreshSeconds } : {};
    if (page !== null) return { ...page, headers: { ...error.headers, vary: "Accept", ...page.headers, ...refresh } };
  }
  const isProblem = acceptsProblems(accept);
  return {
    status: error.status,
    headers: {
      ...error.headers,
      "content-type": isProblem ? problemType : "application/json",
      ...(isOpen && { vary: "Accept" }),
    },
    body: JSON.stringify(isProblem ? problemOf(error, context, errorDocumentation) : errorBody(error)),
  };
}
