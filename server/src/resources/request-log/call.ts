import { notFound } from "@beatmarket/foundation/errors.ts";
import type { CallsOf } from "./call-filter.ts";
import type { CallLog } from "./call-log.ts";
import { type CallSummary, summaries } from "./calls.ts";
import type { CallShape } from "./entry.ts";

/** One call with everything the log stores about it. */
export interface Call
  extends CallSummary,
    Pick<CallShape, "errorMessage" | "errorDetails" | "body" | "clientAddress" | "userAgent"> {
  /** The logged request headers, by name. */
  headers: Record<string, string>;
  /** Made in the portal's explorer, which has its own rate limit. */
  fromExplorer: boolean;
}

/** One of the account's calls, or of everybody's. Throws 404 for another account's calls and for expired ones. */
export async function findCall({ db, store }: CallLog, callsOf: CallsOf, id: number): Promise<Call> {
  const call = await store.find(callsOf, id);
  const log = callsOf === "everybody" ? "the log" : "your log";
  if (call === null) throw notFound(`There is no call ${id} in ${log}. Calls are kept for 30 days.`);
  const [summary] = await summaries(db, [call]);
  const { errorMessage, errorDetails, headers, body, clientAddress, fromExplorer, userAgent } = call;
  return {
    ...(summary as CallSummary),
    errorMessage,
    errorDetails,
    headers: parseHeaders(headers),
    body,
    clientAddress,
    fromExplorer,
    userAgent,
  };
}

const parseHeaders = (lines: string): Record<string, string> =>
  Object.fromEntries(Array.from(lines.matchAll(/^(.+?): (.*)$/gm), ([, name = "", value = ""]) => [name, value]));
