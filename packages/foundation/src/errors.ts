/** All error codes (docs/api/errors.md, Codes). Several statuses share a code. */
export type ErrorCode =
  | "invalid_request"
  | "unauthorized"
  | "forbidden"
  | "not_found"
  | "rate_limit_exceeded"
  | "server_error";

export interface ApiErrorOptions {
  /** Extra response headers, for example Retry-After. */
  headers?: Record<string, string>;
  /** The reason in the request log: "limit:minute", "permission:orders:write", "parameter:genre". */
  refusedBy?: string;
  /** The internal cause: logged, never sent. */
  cause?: unknown;
}

/** An error whose code, message and details are sent to the caller. Any other error becomes a 500. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: number;
  readonly code: ErrorCode;
  readonly details: string;
  readonly headers: Record<string, string>;
  readonly refusedBy: string | null;

  constructor(status: number, code: ErrorCode, message: string, details: string, options: ApiErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.status = status;
    this.code = code;
    this.details = details;
    this.headers = options.headers ?? {};
    this.refusedBy = options.refusedBy ?? null;
  }
}

/** 400. `parameter` is the invalid parameter or body field, as the caller wrote it. */
export const invalidRequest = (details: string, parameter?: string): ApiError =>
  new ApiError(400, "invalid_request", "Invalid request", details, {
    ...(parameter !== undefined && { refusedBy: `parameter:${parameter}` }),
  });

/** 404. Also for a resource that the caller may not see, with the same `details`. */
export const notFound = (details: string): ApiError => new ApiError(404, "not_found", "Not found", details);

/** 409. */
export const conflict = (details: string, headers: Record<string, string> = {}): ApiError =>
  new ApiError(409, "invalid_request", "Conflict", details, { headers });

/** 403 for a resource that anyone may see but only its owner may change. */
export const notYours = (details: string): ApiError =>
  new ApiError(403, "forbidden", "Not yours", details, { refusedBy: "owner" });

/** 412: the resource has changed since the version in If-Match. */
export const preconditionFailed = (details: string): ApiError =>
  new ApiError(412, "invalid_request", "Precondition failed", details, { refusedBy: "header:If-Match" });

/** A mistake in the settings or arguments of a program. Printed as one sentence, without a stack; exit status 1. */
export class OperatorError extends Error {
  override readonly name = "OperatorError";
}

/** A resource that the service needs is temporarily unreachable: a request that needs it gets 503. */
export class Unavailable extends Error {
  /** Tells the client what is unreachable. */
  readonly details: string;

  constructor(message: string, details: string, options?: ErrorOptions) {
    super(message, options);
    this.details = details;
  }
}
