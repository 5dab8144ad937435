import type { Queryable } from "../../database/connection/connect.ts";
import { notFound } from "../../errors.ts";
import { type CallSummary, summaries } from "./calls.ts";
import { findBlock } from "./storage/read-blocks.ts";

/** A call with all that was kept of it. */
export interface Call extends CallSummary {
  /** With errorCode and errorDetails what a refused call was answered (contract 7). */
  errorMessage: string | null;
  errorDetails: string | null;
  /** The request headers that are kept, by name. */
  headers: Record<string, string>;
  /** As sent, cut; null without one. */
  body: string | null;
  clientAddress: string;
  /** Made in the portal's explorer, whose calls have limits of their own. */
  fromExplorer: boolean;
  userAgent: string;
}

/** One of the account's calls. 404 for everybody else's, and for one that is no longer kept. */
export async function findCall(db: Queryable, userId: number, id: number): Promise<Call> {
  const found = await findBlock(db, userId, id);
  if (found === null) throw notFound(`There is no call ${id} in your log. Calls are kept for 30 days.`);
  const { block, index } = found;
  const [summary] = await summaries(db, [found]);
  const { errorMessage, errorDetails, headers, body, clientAddress, userAgent } = block.shape(index);
  return {
    ...(summary as CallSummary),
    errorMessage,
    errorDetails,
    headers: headersOf(headers),
    body,
    clientAddress,
    fromExplorer: block.fromExplorer,
    userAgent,
  };
}

/** Out of the lines that an entry keeps. */
const headersOf = (lines: string): Record<string, string> =>
  Object.fromEntries(
    lines
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => {
        const colon = line.indexOf(": ");
        return [line.slice(0, colon), line.slice(colon + 2)];
      }),
  );
