import { notFound } from "@beatmarket/foundation/errors.ts";
import type { Queryable } from "../../database/connect.ts";
import { type CallsOf, isOf } from "./call-filter.ts";
import { type CallSummary, summaries } from "./calls.ts";
import type { CallShape } from "./entry.ts";
import { findBlock } from "./storage/read-blocks.ts";

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
export async function findCall(db: Queryable, userId: CallsOf, id: number): Promise<Call> {
  const found = await findBlock(db, isOf(userId), id);
  const log = userId === "everybody" ? "the log" : "your log";
  if (found === null) throw notFound(`There is no call ${id} in ${log}. Calls are kept for 30 days.`);
  const { block, index } = found;
  const [summary] = await summaries(db, [found]);
  const { errorMessage, errorDetails, headers, body, clientAddress, userAgent } = block.shape(index);
  return {
    ...(summary as CallSummary),
    errorMessage,
    errorDetails,
    headers: parseHeaders(headers),
    body,
    clientAddress,
    fromExplorer: block.fromExplorer,
    userAgent,
  };
}

const parseHeaders = (lines: string): Record<string, string> =>
  Object.fromEntries(Array.from(lines.matchAll(/^(.+?): (.*)$/gm), ([, name = "", value = ""]) => [name, value]));
