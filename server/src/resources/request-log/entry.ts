import type { IncomingHttpHeaders } from "node:http";
import type { RecordedCall } from "../../http/exchange.ts";
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

const maxHeaderLength = 200;

/** Describes a finished call. Texts a caller may blow up are cut, and hold no secrets that were sent in them. */
export function entryOf(
  { exchange, method, headers, body }: RecordedCall,
  status: number,
  address: string,
  nowMs: number,
): RequestLogEntry {
  const { url } = exchange;
  const key = exchange.caller ?? exchange.lapsedKey;
  const mark = url.indexOf("?");
  const durationMs = performance.now() - exchange.startedMs;
  return {
    timeMs: nowMs - durationMs,
    requestId: exchange.requestId,
    apiKeyId: key?.keyId ?? null,
    userId: key?.userId ?? null,
    fromExplorer: exchange.caller?.fromExplorer === true,
    method,
    operation: exchange.operation,
    path: withoutSecrets(mark < 0 ? url : url.slice(0, mark)).slice(0, 500),
    query: mark < 0 ? "" : withoutSecrets(url.slice(mark + 1)).slice(0, 2000),
    status,
    durationMs,
    errorCode: exchange.error?.code ?? null,
    errorMessage: exchange.error?.message ?? null,
    errorDetails: kept(exchange.error?.details, 2000),
    refusedBy: kept(exchange.error?.refusedBy, 100),
    headers: keptHeadersOf(headers),
    body: body instanceof Buffer ? keptBody(body) : null,
    clientAddress: address.slice(0, 50),
    userAgent: withoutSecrets(headers["user-agent"] ?? "").slice(0, 300),
  };
}

function keptHeadersOf(headers: IncomingHttpHeaders): string {
  let kept = "";
  for (const name of keptHeaders) {
    const value = headers[name];
    if (typeof value === "string") kept += `${name}: ${withoutSecrets(value).slice(0, maxHeaderLength)}\n`;
  }
  return kept;
}

const kept = (text: string | null | undefined, maxLength: number): string | null =>
  text === undefined || text === null ? null : withoutSecrets(text).slice(0, maxLength);

const maxBodyBytes = 4_000;

const keptBody = (body: Buffer): string => withoutSecrets(body.toString("utf8", 0, maxBodyBytes));
