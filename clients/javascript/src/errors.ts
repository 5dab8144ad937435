import type { Upload } from "./generated/models.ts";

/** The base class of all errors of this package. */
export class BeatMarketError extends Error {}

/**
 * No complete response: the connection was refused or cut off, the certificate is invalid, or a download is incomplete.
 * `cause` has the reason, if there is one.
 */
export class APIConnectionError extends BeatMarketError {
  /**
   * The Idempotency-Key of the request, whether passed or generated. If you repeat the call with it within 24 hours, it
   * takes effect only once. Null if the request had none.
   */
  idempotencyKey: string | null = null;
}

/**
 * No complete response within `timeoutMs` of one attempt, or an upload that was neither ready nor rejected within the
 * time given to `uploads.wait`.
 */
export class APITimeoutError extends APIConnectionError {}

/** A webhook request with a missing, invalid or old signature, or with a parsed body. The message names the remedy. */
export class SignatureVerificationError extends BeatMarketError {}

/** A downloaded file whose bytes differ from what the service lists. It was deleted; download it again. */
export class ChecksumError extends BeatMarketError {}

/** The file of an upload was rejected; the message is the reason. */
export class UploadRejectedError extends BeatMarketError {
  readonly upload: Upload;

  constructor(upload: Upload) {
    super(upload.rejection ?? `The upload ${upload.id} was rejected.`);
    this.upload = upload;
  }
}

/** The rate limit with the fewest requests left. */
export interface RateLimit {
  limit: number;
  remaining: number;
  /** Unix time in seconds at which the next request becomes available. */
  reset: number;
}

export interface StatusErrorFields {
  status: number;
  /** The API's error code; null if the response is not an error response of the API. */
  code: string | null;
  /** The API's short text, such as `Conflict`. */
  reason: string;
  details: string | null;
  requestId: string | null;
  rateLimit: RateLimit | null;
  /** Seconds to wait before the next request; null if the response has none. */
  retryAfterSeconds: number | null;
  headers: Headers;
  /** The content type without parameters, such as `text/html` of a proxy; null if the response has none. */
  contentType: string | null;
  /** The first 200 characters of the body on one line; empty without a body. */
  excerpt: string;
}

/**
 * An error response, or a response of an unknown form. `message` is `<status> <code>: <reason>: <details> (request <id>)`,
 * without the parts that are null.
 */
export class APIStatusError extends BeatMarketError implements StatusErrorFields {
  readonly status!: number;
  readonly code!: string | null;
  readonly reason!: string;
  readonly details!: string | null;
  readonly requestId!: string | null;
  readonly rateLimit!: RateLimit | null;
  readonly retryAfterSeconds!: number | null;
  /** The headers of the response. Not enumerable, so that a printed error stays short. */
  readonly headers!: Headers;
  /** The content type without parameters, such as `text/html` of a proxy; null if the response has none. */
  readonly contentType!: string | null;
  /** The first 200 characters of the body on one line; empty without a body. */
  readonly excerpt!: string;
  /**
   * The Idempotency-Key of the request, whether passed or generated. If you repeat the call with it within 24 hours, it
   * takes effect only once. Null if the request had none.
   */
  idempotencyKey: string | null = null;

  constructor(fields: StatusErrorFields) {
    const { status, code, reason, details, requestId } = fields;
    const request = requestId === null ? "" : ` (request ${requestId})`;
    super(`${status}${code === null ? "" : ` ${code}`}: ${[reason, details ?? []].flat().join(": ")}${request}`);
    Object.assign(this, fields);
    Object.defineProperty(this, "headers", { enumerable: false });
  }
}

/** 400, and other 4xx with the code `invalid_request`, such as 409: the request is invalid, or conflicts with the state. */
export class InvalidRequestError extends APIStatusError {}

/** 401: the API key is missing or invalid. */
export class AuthenticationError extends APIStatusError {}

/** 403: the key may not make this call; `details` has the reason, such as a missing permission. */
export class PermissionDeniedError extends APIStatusError {}

/** 404: the resource does not exist, or this account may not see it. */
export class NotFoundError extends APIStatusError {}

/**
 * 410. For `changes` and `events`: the entries after `after` are no longer kept; take an export, or begin the events
 * without `after`. For an archive: the order was refunded in full. For any other download: the link was refused, the
 * client requested a new one, and that was refused, too.
 */
export class GoneError extends APIStatusError {}

/** 412: the beat has changed since the response that `ifMatch` came from. Get it again, then decide again. */
export class PreconditionFailedError extends APIStatusError {}

/** 429: a rate limit of the key's plan is exceeded, for `retryAfterSeconds`. */
export class RateLimitError extends APIStatusError {}

/** 500 to 599: the service or a proxy in front of it failed. */
export class ServerError extends APIStatusError {}

const classes = {
  BeatMarketError,
  APIConnectionError,
  APITimeoutError,
  SignatureVerificationError,
  ChecksumError,
  UploadRejectedError,
  APIStatusError,
  InvalidRequestError,
  AuthenticationError,
  PermissionDeniedError,
  NotFoundError,
  GoneError,
  PreconditionFailedError,
  RateLimitError,
  ServerError,
};
// Minifiers rename classes, so the names are set explicitly.
for (const [name, value] of Object.entries(classes))
  Object.defineProperty(value.prototype, "name", { value: name, configurable: true, writable: true });
