import type { IncomingHttpHeaders } from "node:http";
import type { RequestContext } from "../../http/pipeline/request-context.ts";
import { withoutSecrets } from "../../secrets.ts";

/** Whose call it was. */
export interface CallOwner {
  apiKeyId: number | null;
  userId: number | null;
  /** Made by the key's owner in the portal's explorer. */
  fromExplorer: boolean;
}

/** What was asked and answered: all of a call that another one may have in common with it. */
export interface CallShape {
  method: string;
  /** Null where the path is none of ours. */
  operation: string | null;
  /** As called, prefix included. */
  path: string;
  query: string;
  status: number;
  errorCode: string | null;
  errorMessage: string | null;
  errorDetails: string | null;
  /** Why it was refused: "limit:minute", "permission:orders:write", "parameter:genre", "key:revoked". */
  refusedBy: string | null;
  /** A line for each that is kept: `accept: application/json`. */
  headers: string;
  /** As sent, if anything was. */
  body: string | null;
  clientAddress: string;
  userAgent: string;
}

/** One API call as the log keeps it. */
export interface RequestLogEntry extends CallOwner, CallShape {
  /** When it came in. */
  timeMs: number;
  durationMs: number;
  /** At most 36 characters of ASCII: a UUID. */
  requestId: string;
}

/** The request headers worth keeping. Authorization and cookies are not among them and never may be. */
const keptHeaders = ["accept", "content-type", "content-length", "if-none-match", "idempotency-key", "origin"] as const;

/** What is kept of a text that callers may blow up, in characters. */
const maxLengths = {
  path: 500,
  query: 2_000,
  header: 200,
  body: 4_000,
  details: 2_000,
  refusedBy: 100,
  userAgent: 300,
};
/** What an entry has beyond that until `asKept` cuts it, so that a secret on the border is seen whole. */
const border = 200;

/** Describes a finished request. Its texts are as sent; `asKept` cuts them and takes secrets out. */
export function entryOf(context: RequestContext, nowMs: number): RequestLogEntry {
  const { url, error, requestHeaders, body, caller, lapsedKey } = context;
  const key = caller ?? lapsedKey;
  const mark = url.indexOf("?");
  const durationMs = performance.now() - context.startedMs;
  return {
    timeMs: nowMs - durationMs,
    requestId: context.requestId,
    apiKeyId: key?.keyId ?? null,
    userId: key?.userId ?? null,
    fromExplorer: caller?.fromExplorer === true,
    method: context.method,
    operation: context.route?.operationId ?? null,
    path: url.slice(0, Math.min(mark < 0 ? url.length : mark, maxLengths.path + border)),
    query: mark < 0 ? "" : url.slice(mark + 1, mark + 1 + maxLengths.query + border),
    status: context.status,
    durationMs,
    errorCode: error?.code ?? null,
    errorMessage: error?.message ?? null,
    errorDetails: error?.details.slice(0, maxLengths.details + border) ?? null,
    refusedBy: error?.refusedBy?.slice(0, maxLengths.refusedBy + border) ?? null,
    headers: keptHeadersOf(requestHeaders),
    body: body?.toString("utf8", 0, maxLengths.body + border) ?? null,
    clientAddress: context.clientAddress.slice(0, 50),
    userAgent: (requestHeaders["user-agent"] ?? "").slice(0, maxLengths.userAgent + border),
  };
}

/** A call's texts as the log keeps them: without the secrets that were sent in them, and cut. */
export const asKept = (shape: CallShape): CallShape => ({
  method: shape.method,
  operation: shape.operation,
  path: kept(shape.path, maxLengths.path),
  query: kept(shape.query, maxLengths.query),
  status: shape.status,
  errorCode: shape.errorCode,
  errorMessage: shape.errorMessage,
  errorDetails: shape.errorDetails === null ? null : kept(shape.errorDetails, maxLengths.details),
  refusedBy: shape.refusedBy === null ? null : kept(shape.refusedBy, maxLengths.refusedBy),
  headers: shape.headers.replaceAll(/.+/g, (line) => kept(line, line.indexOf(":") + 2 + maxLengths.header)),
  body: shape.body === null ? null : kept(shape.body, maxLengths.body),
  clientAddress: shape.clientAddress,
  userAgent: kept(shape.userAgent, maxLengths.userAgent),
});

const kept = (text: string, maxLength: number): string => withoutSecrets(text).slice(0, maxLength);

function keptHeadersOf(headers: IncomingHttpHeaders): string {
  let lines = "";
  for (const name of keptHeaders) {
    const value = headers[name];
    if (typeof value === "string") lines += `${name}: ${value.slice(0, maxLengths.header + border)}\n`;
  }
  return lines;
}
