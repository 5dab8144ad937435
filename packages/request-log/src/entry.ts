import { clippedWithoutSecrets } from "@beatmarket/foundation/text/secrets.ts";

/** The key and account of a call. */
export interface CallOwner {
  apiKeyId: number | null;
  userId: number | null;
  /** Whether the key's owner made the call in the portal's explorer. */
  fromExplorer: boolean;
}

/** The fields of a call that repeat between calls. A block stores each distinct shape once. */
export interface CallShape {
  method: string;
  /** Null for a path without a route. */
  operation: string | null;
  /** The path as the client sent it, with its version prefix. */
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
  /** The date of the API's version that answered; null if no version did, and in entries of earlier releases. */
  version: string | null;
}

/** One API call in the log. */
export interface RequestLogEntry extends CallOwner, CallShape {
  /** When the request arrived. */
  timeMs: number;
  /**
   * When the rate limit admitted the request (wall time); null if no limit counts it, because it was refused or has no
   * limit.
   */
  admittedMs: number | null;
  durationMs: number;
  /** At most 36 characters of ASCII: a UUID. */
  requestId: string;
}

/** The maximum lengths of texts that callers choose, in characters. */
export const maxLengths = {
  path: 500,
  query: 2_000,
  header: 200,
  body: 4_000,
  details: 2_000,
  refusedBy: 100,
  userAgent: 300,
};

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
