import { Readable } from "node:stream";
import { byteOrderMark, csvText } from "@beatmarket/foundation/text/csv.ts";
import type { HttpResponse } from "@beatmarket/http/http-response.ts";
import type { HandlerCall } from "@beatmarket/http/pipeline/route.ts";
import type { CallFilter } from "./call-filter.ts";
import type { CallLog } from "./call-log.ts";
import { type CallPage, type CallSummary, listCalls } from "./calls.ts";

/** The maximum number of calls in a file. Such a file has about 12 MB. */
const maxCalls = 50_000;
/**
 * The maximum number of reads for a file. Each read searches like one page of a list. Limits a search with few matches.
 */
const maxReads = 250;
const batchSize = 1_000;

const columns: [name: string, value: (call: CallSummary) => string][] = [
  ["time", ({ time }) => time.toISOString()],
  ["request_id", ({ requestId }) => csvText(requestId)],
  ["status", ({ status }) => String(status)],
  ["method", ({ method }) => csvText(method)],
  ["path", ({ path }) => csvText(path)],
  ["query", ({ query }) => csvText(query)],
  ["operation", ({ operation }) => operation ?? ""],
  ["duration_ms", ({ durationMs }) => String(durationMs)],
  ["error_code", ({ errorCode }) => errorCode ?? ""],
  ["refused_by", ({ refusedBy }) => csvText(refusedBy ?? "")],
  ["key_id", ({ apiKeyId }) => String(apiKeyId ?? "")],
  ["key_name", ({ keyName }) => csvText(keyName ?? "")],
  ["version", ({ version }) => version ?? ""],
];

/** Returns a line with the line end of RFC 4180. */
const row = (values: readonly string[]): string => `${values.join(",")}\r\n`;
const header = row(columns.map(([name]) => name));

type ExportCall = Pick<HandlerCall, "context" | "underPermit" | "closed">;

export interface ExportBounds {
  calls: number;
  reads: number;
}

/**
 * Returns the account's calls that match a filter as CSV, newest first, with times in UTC and milliseconds. Reads the
 * calls in batches while the file is sent, each batch under its own permit. A file has at most 50,000 calls. If older
 * calls are missing, the last row has the time before which they are missing.
 */
export async function exportCalls(
  log: CallLog,
  { context, underPermit, closed }: ExportCall,
  userId: number,
  filter: CallFilter,
  bounds: ExportBounds = { calls: maxCalls, reads: maxReads },
): Promise<HttpResponse> {
  const read = (before: string | undefined, limit: number) =>
    underPermit(() => listCalls(log, userId, filter, { limit, before }));
  const isHead = context.method === "HEAD";
  const first = isHead ? null : await read(undefined, Math.min(batchSize, bounds.calls));
  return {
    status: 200,
    headers: {
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": 'attachment; filename="calls.csv"',
    },
    body: Readable.from(first === null ? [] : rowsFrom(first, read, bounds, closed), { objectMode: false }),
  };
}

async function* rowsFrom(
  first: CallPage,
  read: (before: string, limit: number) => Promise<CallPage>,
  bounds: ExportBounds,
  closed: AbortSignal,
): AsyncGenerator<string> {
  yield byteOrderMark + header;
  let page = first;
  let calls = 0;
  for (let reads = 1; ; reads++) {
    if (page.calls.length > 0) yield page.calls.map((call) => row(columns.map(([, value]) => value(call)))).join("");
    calls += page.calls.length;
    if (page.next === null || closed.aborted) return;
    if (calls >= bounds.calls || reads >= bounds.reads) {
      yield row([
        csvText(`Not complete: calls before ${page.searchedTo?.toISOString()} are missing; narrow the time.`),
      ]);
      return;
    }
    page = await read(page.next, Math.min(batchSize, bounds.calls - calls));
  }
}
