import type { Upload } from "./generated/models.ts";
import { errorCodes } from "./generated/operations.ts";

/** The base class of all errors of this package. */
export class BeatMarketError extends Error {}

/** No response: connection refused or cut off, or an invalid certificate. `cause` has the reason. */
export class APIConnectionError extends BeatMarketError {
  /** The key of the call, also a generated one. Repeating the call with it never has the effect twice. Null without one. */
  idempotencyKey: string | null = null;
}

/** No complete response within `timeoutMs` of one attempt. */
export class APITimeoutError extends APIConnectionError {}

/** A webhook request with an invalid signature, or a body that is not the raw one. The message names the remedy. */
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
  /** The API's error code; null if the response does not come from the API. */
  code: string | null;
  /** The API's short text, such as `Conflict`. */
  reason: string;
  details: string | null;
  requestId: string | null;
  rateLimit: RateLimit | null;
  /** Seconds to wait before the next request; null if the response has none. */
  retryAfterSeconds: number | null;
}

/** An error response, or a response of an unknown form. `message` is a complete sentence with the fields below. */
export class APIStatusError extends BeatMarketError implements StatusErrorFields {
  readonly status!: number;
  readonly code!: string | null;
  readonly reason!: string;
  readonly details!: string | null;
  readonly requestId!: string | null;
  readonly rateLimit!: RateLimit | null;
  readonly retryAfterSeconds!: number | null;
  /** The key of the call, also a generated one. Repeating the call with it never has the effect twice. Null without one. */
  idempotencyKey: string | null = null;

  constructor(fields: StatusErrorFields) {
    const { status, code, reason, details, requestId } = fields;
    const request = requestId === null ? "" : ` (request ${requestId})`;
    super(`${status}${code === null ? "" : ` ${code}`}: ${[reason, details ?? []].flat().join(": ")}${request}`);
    Object.assign(this, fields);
  }
}

/** 400 and other 4xx such as 409: the request is malformed, invalid, or conflicts with the current state. */
export class InvalidRequestError extends APIStatusError {}

/** 401: the API key is missing or invalid. */
export class AuthenticationError extends APIStatusError {}

/** 403: the key lacks a permission, which `details` names. */
export class PermissionDeniedError extends APIStatusError {}

/** 404: the resource does not exist, or this account may not see it. */
export class NotFoundError extends APIStatusError {}

/**
 * 410: the entries after this position are no longer kept: take an export. For a download: a new link does not work
 * either.
 */
export class GoneError extends APIStatusError {}

/** 412: the beat has changed since the response that `ifMatch` came from. Get it again, then decide again. */
export class PreconditionFailedError extends APIStatusError {}

/** 429: a rate limit of the key's plan is exceeded, for `retryAfterSeconds`. */
export class RateLimitError extends APIStatusError {}

/** 500 to 599: the service or a proxy in front of it failed. */
export class ServerError extends APIStatusError {}

const statusErrors = {
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
const others = { APIConnectionError, APITimeoutError, SignatureVerificationError, ChecksumError, UploadRejectedError };
// Minifiers rename classes, so the names are set explicitly.
for (const [name, value] of Object.entries({ BeatMarketError, ...others, ...statusErrors }))
  Object.defineProperty(value.prototype, "name", { value: name, configurable: true, writable: true });

const namesByStatus: Readonly<Record<number, keyof typeof statusErrors>> = {
  400: "InvalidRequestError",
  401: "AuthenticationError",
  403: "PermissionDeniedError",
  404: "NotFoundError",
  410: "GoneError",
  412: "PreconditionFailedError",
  429: "RateLimitError",
};

/** Creates an error of the class of its status or, for other statuses, of its code. */
export function statusError(fields: StatusErrorFields): APIStatusError {
  const { status, code } = fields;
  const byCode = code !== null && Object.hasOwn(errorCodes, code) ? errorCodes[code as keyof typeof errorCodes] : null;
  const byStatus = status >= 500 && status <= 599 ? "ServerError" : namesByStatus[status];
  return new statusErrors[byStatus ?? byCode ?? "APIStatusError"](fields);
}

const excerptLength = 200;

/** The reason of a response that some other server gave, such as a proxy's page: what it is and how it begins. */
export function foreignReason(contentType: string | null, text: string): string {
  const type = contentType?.split(";")[0]?.trim().toLowerCase() || "no content type";
  const characters = [...text.replace(controls, " ").trim()];
  const excerpt = characters.slice(0, excerptLength).join("") + (characters.length > excerptLength ? "…" : "");
  return `The response is not the API's: ${type}: ${excerpt || "no body"}`;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: a page must not break the line of the message.
const controls = /[\x00-\x20\x7f]+/g;

const certificateCodes =
  /CERT|UNABLE_TO_(VERIFY|GET_ISSUER|DECRYPT)|HOSTNAME_MISMATCH|INVALID_(CA|PURPOSE)|PATH_LENGTH/;

/** Whether the server's certificate was refused. The next attempt would fail in the same way. */
export const isOfCertificate = (cause: unknown): boolean => {
  const { code, message } = innermost(cause);
  return certificateCodes.test(String(code)) || /certificate/i.test(String(message));
};

/** `fetch` rejects with "fetch failed"; the reason is in its cause. */
export const innermost = (error: unknown): { code?: unknown; name?: unknown; message?: unknown } =>
  error instanceof Error && error.cause instanceof Error ? error.cause : Object(error);
