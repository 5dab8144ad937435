import type { Upload } from "./models.ts";
import type { RateLimit } from "./response.ts";

/** The base class of all errors of this package. */
export class BeatMarketError extends Error {
  static {
    BeatMarketError.prototype.name = "BeatMarketError";
  }
}

/** No response: connection refused or cut off, or an invalid certificate. `cause` has the reason. */
export class APIConnectionError extends BeatMarketError {
  static {
    APIConnectionError.prototype.name = "APIConnectionError";
  }
}

/** No complete response within `timeoutMs` of one attempt. */
export class APITimeoutError extends APIConnectionError {
  static {
    APITimeoutError.prototype.name = "APITimeoutError";
  }
}

/** A webhook request with an invalid signature, or a body that is not the raw one. The message says what to do. */
export class SignatureVerificationError extends BeatMarketError {
  static {
    SignatureVerificationError.prototype.name = "SignatureVerificationError";
  }
}

/** The file of an upload was rejected; the message is the reason. */
export class UploadRejectedError extends BeatMarketError {
  static {
    UploadRejectedError.prototype.name = "UploadRejectedError";
  }

  readonly upload: Upload;

  constructor(upload: Upload) {
    super(upload.rejection ?? `The upload ${upload.id} was rejected.`);
    this.upload = upload;
  }
}

/** A downloaded file with other bytes than the service lists. It is deleted; download it again. */
export class ChecksumError extends BeatMarketError {
  static {
    ChecksumError.prototype.name = "ChecksumError";
  }
}

export interface StatusErrorFields {
  status: number;
  /** The API's error code; null if the response does not come from the API. */
  code: string | null;
  message: string;
  details: string | null;
  requestId: string | null;
  rateLimit: RateLimit | null;
  /** Seconds to wait before the next request; null if the response has none. */
  retryAfterSeconds: number | null;
}

/** An error response, or a response of an unknown form. */
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
    // `message` is the API's own. The stack is what gets printed, so it has all details. Engines build it at the first read.
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

/** 400 and other 4xx such as 409: the request is malformed, invalid, or conflicts with the current state. */
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

/** 404: the resource does not exist, or this account may not see it. */
export class NotFoundError extends APIStatusError {
  static {
    NotFoundError.prototype.name = "NotFoundError";
  }
}

/**
 * 410: what follows this position is no longer kept. Take an export, and go on from its position. Of a download: the new link
 * does not work any more than the old one.
 */
export class GoneError extends APIStatusError {
  static {
    GoneError.prototype.name = "GoneError";
  }
}

/** 412: the beat has changed since the response that `ifMatch` is from. Get it again, and decide anew. */
export class PreconditionFailedError extends APIStatusError {
  static {
    PreconditionFailedError.prototype.name = "PreconditionFailedError";
  }
}

/** 429: a rate limit of the key's plan is exceeded, for `retryAfterSeconds`. */
export class RateLimitError extends APIStatusError {
  static {
    RateLimitError.prototype.name = "RateLimitError";
  }
}

/** 500 to 599: the service or a proxy in front of it failed. */
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
  [410, GoneError],
  [412, PreconditionFailedError],
  [429, RateLimitError],
]);

/**
 * The error class of each API error code. The conformance driver describes it.
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

/** Creates an error of the class of its status or, for other statuses, of its code. */
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
