/** The six machine codes an error body may carry (contract 7). */
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
  /** What the request log records as the reason: "limit:minute", "permission:orders:write", "parameter:genre". */
  refusedBy?: string;
  /** The internal cause: logged, never sent. */
  cause?: unknown;
}

/** An error whose code, message and details are fit for the caller to read. Anything else thrown is a 500. */
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

/** 400. `parameter` is the parameter or body field at fault, as the caller wrote it. */
export const invalidRequest = (details: string, parameter?: string): ApiError =>
  new ApiError(400, "invalid_request", "Invalid request", details, {
    ...(parameter !== undefined && { refusedBy: `parameter:${parameter}` }),
  });

/** 404. `details` names what does not exist; it also hides what the caller may not see. */
export const notFound = (details: string): ApiError => new ApiError(404, "not_found", "Not found", details);

/** 409, whose code is one of the contract's six all the same (DESIGN section 2). */
export const conflict = (details: string, headers: Record<string, string> = {}): ApiError =>
  new ApiError(409, "invalid_request", "Conflict", details, { headers });

/** A mistake of whoever runs the program: printed as one sentence, without a stack. Exit status 1. */
export class OperatorError extends Error {
  override readonly name = "OperatorError";
}
