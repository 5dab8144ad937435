import {
  APIStatusError,
  AuthenticationError,
  GoneError,
  InvalidRequestError,
  NotFoundError,
  PermissionDeniedError,
  PreconditionFailedError,
  RateLimitError,
  ServerError,
  type StatusErrorFields,
} from "./errors.ts";
import { errorCodes, type Operation } from "./generated/operations.ts";
import type { ResponseInfo } from "./response.ts";
import { innermost, isOfCertificate, retryAfterSeconds } from "./retry.ts";

const statusErrors = {
  InvalidRequestError,
  AuthenticationError,
  PermissionDeniedError,
  NotFoundError,
  GoneError,
  PreconditionFailedError,
  RateLimitError,
  ServerError,
};
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
function statusError(fields: StatusErrorFields): APIStatusError {
  const { status, code } = fields;
  const byCode = code !== null && Object.hasOwn(errorCodes, code) ? errorCodes[code as keyof typeof errorCodes] : null;
  const name = status >= 500 && status <= 599 ? "ServerError" : (namesByStatus[status] ?? byCode);
  return name === null ? new APIStatusError(fields) : new statusErrors[name](fields);
}

export function reasonOf(error: unknown): string {
  const { message, code, name } = innermost(error);
  const reason = String(message || code || name || "unknown");
  if (!isOfCertificate(error)) return reason;
  return `the certificate of the server is not trusted (${reason}); set caFile or BEATMARKET_CA_FILE to a PEM file of the authority that signed it`;
}

/** Returns the parsed body of a successful response, or null without a body. Throws an APIStatusError for any other. */
export function bodyOf(hasBody: boolean, status: number, text: string, response: ResponseInfo): unknown {
  const body = parsed(text);
  if (status >= 200 && status <= 299) {
    if (!hasBody || status === 204) return null;
    if (!isObject(body)) throw unexpected(response, foreignReason(response, text), text);
    if (body.status !== "error") return body;
  }
  const error = isObject(body) && isObject(body.error) ? body.error : {};
  const field = (name: string): string | null => (typeof error[name] === "string" ? error[name] : null);
  const isRedirect = status >= 300 && status <= 399 && response.headers.has("location");
  throw statusError({
    ...fieldsOf(response, text),
    code: field("code"),
    reason:
      field("message") ??
      (isRedirect
        ? `The response has status ${status}, a redirect, which is not followed: is the base URL right?`
        : foreignReason(response, text)),
    details: field("details"),
  });
}

/**
 * Returns the result of an operation, with its content unchanged; undefined for an operation without a result. Throws
 * an APIStatusError for a response of an unknown form. If only the result is missing after a change, returns an empty
 * object instead, because an error would hide that the change was made.
 */
export function resultOf({ kind, keys, method }: Operation, body: unknown, response: ResponseInfo): unknown {
  if (kind === "none") return undefined;
  const { status, data } = isObject(body) ? body : {};
  if (status !== "success" || !isObject(data))
    throw unexpected(response, "The response has an unknown form.", JSON.stringify(body));
  for (const key of keys) {
    if (kind === "object" ? isObject(data[key]) : Array.isArray(data[key])) continue;
    if (method !== "GET") return {};
    throw unexpected(response, `The response has an unknown form: it has no ${key}.`, JSON.stringify(body));
  }
  return kind === "object" || kind === "array" ? data[keys[0] ?? ""] : data;
}

/** The error for a response of an unknown form. `text` is its body, where that was read. */
export const unexpected = (response: ResponseInfo, reason: string, text = ""): APIStatusError =>
  new APIStatusError({ ...fieldsOf(response, text), code: null, reason, details: null });

const excerptLength = 200;
// biome-ignore lint/suspicious/noControlCharactersInRegex: a page must not break the line of the message.
const controls = /[\x00-\x20\x7f]+/g;

/** The reason for a response of another server, such as a proxy: its content type and the beginning of its body. */
const foreignReason = ({ headers }: ResponseInfo, text: string): string =>
  `The response is not the API's: ${mediaTypeOf(headers) ?? "no content type"}: ${excerptOf(text) || "no body"}`;

const mediaTypeOf = (headers: Headers): string | null =>
  headers.get("content-type")?.split(";")[0]?.trim().toLowerCase() || null;

function excerptOf(text: string): string {
  const characters = [...text.replace(controls, " ").trim()];
  return characters.slice(0, excerptLength).join("") + (characters.length > excerptLength ? "…" : "");
}

const fieldsOf = ({ status, headers, requestId, rateLimit }: ResponseInfo, text: string) => ({
  status,
  requestId,
  rateLimit,
  retryAfterSeconds: retryAfterSeconds(headers.get("retry-after")),
  headers,
  contentType: mediaTypeOf(headers),
  excerpt: excerptOf(text),
});

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
