import type { IncomingHttpHeaders } from "node:http";
import { clippedWithoutSecrets, redactionMargin } from "@beatmarket/foundation/text/secrets.ts";
import { versionHeader } from "@beatmarket/http/pipeline/wire-version.ts";
import type { RequestContext } from "@beatmarket/http/request-context.ts";

/** The key and account of a call. */
export interface CallOwner {
  apiKeyId: number | null;
  userId: number | null;
  /** Made in the portal's explorer by the key's owner. */
  fromExplorer: boolean;
}

/** The fields of a call that repeat between calls. A block stores each distinct shape once. */
export interface CallShape {
  method: string;
  /** Null for a path without a route. */
  operation: string | null;
  /** As sent, with its version prefix. */
  path: string;
  query: string;
  status: number;
  errorCode: string | null;
  errorMessage: string | null;
  errorDetails: string | null;
  /** The reason of a rejection: "limit:minute", "permission:orders:write", "parameter:genre", "key:revoked". */
  refusedBy: string | null;
  /** One line per logged header: `accept: application/json`. */
  headers: string;
  /** Null without a body. */
  body: string | null;
  clientAddress: string;
  userAgent: string;
  /** The date of the API's version that answered; null where none did, and in entries of earlier releases. */
  version: string | null;
}

/** One API call in the log. */
export interface RequestLogEntry extends CallOwner, CallShape {
  /** When the request arrived. */
  timeMs: number;
  /** Wall time at which the rate limit admitted it; null if no limit counts it: refused, or without a limit. */
  admittedMs: number | null;
  durationMs: number;
  /** At most 36 characters of ASCII: a UUID. */
  requestId: string;
}

/** Never add Authorization or Cookie. */
const loggedHeaders = [
  "accept",
  "content-type",
  "content-length",
  "if-none-match",
  "if-range",
  "range",
  "idempotency-key",
  "origin",
  versionHeader,
] as const;

/** Bounds of texts that callers choose, in characters. */
const maxLengths = {
  path: 500,
  query: 2_000,
  header: 200,
  body: 4_000,
  details: 2_000,
  refusedBy: 100,
  userAgent: 300,
};

/** The entry of a finished request, with its texts not yet redacted. */
export function entryOf(context: RequestContext, nowMs: number): RequestLogEntry {
  const { url, error, requestHeaders, body, caller, formerKey } = context;
  const key = caller ?? formerKey;
  const mark = url.indexOf("?");
  const { durationMs } = context;
  return {
    timeMs: nowMs - durationMs - context.waitedMs,
    admittedMs: context.admittedMs,
    requestId: context.requestId,
    apiKeyId: key?.keyId ?? null,
    userId: key?.userId ?? null,
    fromExplorer: caller?.fromExplorer === true,
    method: context.method,
    operation: context.route?.operationId ?? null,
    path: url.slice(0, Math.min(mark < 0 ? url.length : mark, maxLengths.path + redactionMargin)),
    query: mark < 0 ? "" : url.slice(mark + 1, mark + 1 + maxLengths.query + redactionMargin),
    status: context.status,
    durationMs,
    errorCode: error?.code ?? null,
    errorMessage: error?.message ?? null,
    errorDetails: error?.details.slice(0, maxLengths.details + redactionMargin) ?? null,
    refusedBy: error?.refusedBy?.slice(0, maxLengths.refusedBy + redactionMargin) ?? null,
    headers: headerLines(requestHeaders),
    body: body?.toString("utf8", 0, maxLengths.body + redactionMargin) ?? null,
    clientAddress: context.clientAddress.slice(0, 50),
    userAgent: (requestHeaders["user-agent"] ?? "").slice(0, maxLengths.userAgent + redactionMargin),
    // Of the response, since a replay is in the version of its first response.
    version: (context.headers[versionHeader] as string | undefined) ?? null,
  };
}

/** Removes secrets from a shape's texts and truncates them. */
export const redacted = (shape: CallShape): CallShape => ({
  method: shape.method,
  operation: shape.operation,
  path: clippedWithoutSecrets(shape.path, maxLengths.path),
  query: clippedWithoutSecrets(shape.query, maxLengths.query),
  status: shape.status,
  errorCode: shape.errorCode,
  errorMessage: shape.errorMessage,
  errorDetails: shape.errorDetails === null ? null : clippedWithoutSecrets(shape.errorDetails, maxLengths.details),
  refusedBy: shape.refusedBy === null ? null : clippedWithoutSecrets(shape.refusedBy, maxLengths.refusedBy),
  headers: shape.headers.replaceAll(/.+/g, (line) =>
    clippedWithoutSecrets(line, line.indexOf(":") + 2 + maxLengths.header),
  ),
  body: shape.body === null ? null : clippedWithoutSecrets(shape.body, maxLengths.body),
  clientAddress: shape.clientAddress,
  userAgent: clippedWithoutSecrets(shape.userAgent, maxLengths.userAgent),
  version: shape.version,
});

function headerLines(headers: IncomingHttpHeaders): string {
  let lines = "";
  for (const name of loggedHeaders) {
    const value = headers[name];
    if (typeof value === "string") lines += `${name}: ${value.slice(0, maxLengths.header + redactionMargin)}\n`;
  }
  return lines;
}
