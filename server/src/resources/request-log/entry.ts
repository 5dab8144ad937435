import type { IncomingHttpHeaders } from "node:http";
import { redactionMargin } from "@beatmarket/foundation/text/secrets.ts";
import { versionHeader } from "@beatmarket/http/pipeline/wire-version.ts";
import type { RequestContext } from "@beatmarket/http/request-context.ts";
import { maxLengths, type RequestLogEntry } from "@beatmarket/request-log/entry.ts";

/** The logged headers. Never add Authorization or Cookie. */
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

/** Returns the entry of a finished request. Its texts are not redacted yet. */
export function entryOf(context: RequestContext, nowMs: number): RequestLogEntry {
  const { url, error, requestHeaders, body, caller, formerKey } = context;
  const key = caller ?? formerKey;
  const queryStart = url.indexOf("?");
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
    path: url.slice(0, Math.min(queryStart < 0 ? url.length : queryStart, maxLengths.path + redactionMargin)),
    query: queryStart < 0 ? "" : url.slice(queryStart + 1, queryStart + 1 + maxLengths.query + redactionMargin),
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
    // The version comes from the response, because a replay has the version of the first response.
    version: (context.headers[versionHeader] as string | undefined) ?? null,
  };
}

function headerLines(headers: IncomingHttpHeaders): string {
  let lines = "";
  for (const name of loggedHeaders) {
    const value = headers[name];
    if (typeof value === "string") lines += `${name}: ${value.slice(0, maxLengths.header + redactionMargin)}\n`;
  }
  return lines;
}
