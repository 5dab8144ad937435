import type { RateLimit } from "./response.ts";

/** What all errors of this package are. */
export class BeatMarketError extends Error {
  static {
    BeatMarketError.prototype.name = "BeatMarketError";
  }
}

/** There was no answer: refused, cut off, an invalid certificate. `cause` has the reason. */
export class APIConnectionError extends BeatMarketError {
  static {
    APIConnectionError.prototype.name = "APIConnectionError";
  }
}

/** There was no answer, or no end of it, within the time of one try. */
export class APITimeoutError extends APIConnectionError {
  static {
    APITimeoutError.prototype.name = "APITimeoutError";
  }
}

/** A webhook request that is not genuine, or not verified as it came; the message says what to do. */
export class SignatureVerificationError extends BeatMarketError {
  static {
    SignatureVerificationError.prototype.name = "SignatureVerificationError";
  }
}

export interface StatusErrorFields {
  status: number;
  /** The service's machine code, null when the answer was not the service's. */
  code: string | null;
  message: string;
  details: string | null;
  requestId: string | null;
  rateLimit: RateLimit | null;
  /** Seconds after which to try again, null when the answer does not say. */
  retryAfterSeconds: number | null;
}

/** The answer was an error, or not what the contract promises. */
export class APIStatusError extends BeatMarketError implements StatusErrorFields {
  static {
    APIStatusError.prototype.name = "APIStatusError";
  }

  readonly status: number;
  readonly code: string | null;
  readonly details: string | null;
  readonly requestId: string | null;
  readonly rateLimit: RateLimit | null;
  readonly retryAfterSeconds: number | null;

  constructor(fields: StatusErrorFields) {
    super(sentence(fields));
    // The stack, which is what gets printed, says everything; `message` is the service's own. Engines write a stack down
    // when it is first read.
    const own = { configurable: true, writable: true, enumerable: false };
    Object.defineProperty(this, "stack", { value: this.stack, ...own });
    Object.defineProperty(this, "message", { value: fields.message, ...own });
    this.status = fields.status;
    this.code = fields.code;
    this.details = fields.details;
    this.requestId = fields.requestId;
    this.rateLimit = fields.rateLimit;
    this.retryAfterSeconds = fields.retryAfterSeconds;
  }

  override toString(): string {
    return `${this.name}: ${sentence(this)}`;
  }
}

/** 400, and other refusals of what was sent, such as 409: malformed, invalid, or in conflict with what is. */
export class InvalidRequestError extends APIStatusError {
  static {
    InvalidRequestError.prototype.name = "InvalidRequestError";
  }
}

/** 401: the API key is missing or invalid. */
export class AuthenticationError extends APIStatusError {
  static {
    AuthenticationError.prototype.name = "AuthenticationError";
  }
}

/** 403: the key lacks a permission, which `details` names. */
export class PermissionDeniedError extends APIStatusError {
  static {
    PermissionDeniedError.prototype.name = "PermissionDeniedError";
  }
}

/** 404: it does not exist, or is not yours to see. */
export class NotFoundError extends APIStatusError {
  static {
    NotFoundError.prototype.name = "NotFoundError";
  }
}

/** 429: a limit of the key's plan is exhausted; `retryAfterSeconds` says for how long. */
export class RateLimitError extends APIStatusError {
  static {
    RateLimitError.prototype.name = "RateLimitError";
  }
}

/** 500 to 599: something went wrong on the service's side, or before it. */
export class ServerError extends APIStatusError {
  static {
    ServerError.prototype.name = "ServerError";
  }
}

type StatusErrorClass = new (fields: StatusErrorFields) => APIStatusError;

const classesByStatus = new Map<number, StatusErrorClass>([
  [400, InvalidRequestError],
  [401, AuthenticationError],
  [403, PermissionDeniedError],
  [404, NotFoundError],
  [429, RateLimitError],
]);

/**
 * The class of each code of the contract; what the conformance driver describes.
 * @public
 */
export const classesByCode: Readonly<Record<string, StatusErrorClass>> = {
  invalid_request: InvalidRequestError,
  unauthorized: AuthenticationError,
  forbidden: PermissionDeniedError,
  not_found: NotFoundError,
  rate_limit_exceeded: RateLimitError,
  server_error: ServerError,
};

/** An error of the class that its status has or, for other statuses, its code. */
export function statusError(fields: StatusErrorFields): APIStatusError {
  const { status, code } = fields;
  const byCode = code !== null && Object.hasOwn(classesByCode, code) ? classesByCode[code] : undefined;
  const byStatus = status >= 500 && status <= 599 ? ServerError : classesByStatus.get(status);
  return new (byStatus ?? byCode ?? APIStatusError)(fields);
}

function sentence({ status, code, message, details, requestId }: StatusErrorFields): string {
  const facts = [code === null ? `${status}` : `${status} ${code}`];
  if (requestId !== null) facts.push(`request id ${requestId}`);
  return `${message}${details === null ? "" : `: ${details}`} (${facts.join(", ")})`;
}
