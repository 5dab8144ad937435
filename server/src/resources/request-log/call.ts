import { sql } from "kysely";
import type { Queryable } from "../../database/connect.ts";
import { notFound } from "../../errors.ts";
import type { CallSummary } from "./calls.ts";

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
  const { rows } = await sql<Call>`
    select call.id, call.time, call.request_id as "requestId", call.api_key_id as "apiKeyId", key.name as "keyName",
           key.ends_with as "keyEndsWith", call.method, call.path, call.query, call.operation, call.status,
           call.duration_ms as "durationMs", call.error_code as "errorCode", call.refused_by as "refusedBy",
           call.error_message as "errorMessage", call.error_details as "errorDetails", call.headers, call.body,
           call.client_address as "clientAddress", call.from_explorer as "fromExplorer",
           call.user_agent as "userAgent"
    from request_log call left join api_keys key on key.id = call.api_key_id
    where call.id = ${id} and call.user_id = ${userId}`.execute(db);
  const call = rows[0];
  if (call === undefined) throw notFound(`There is no call ${id} in your log. Calls are kept for 30 days.`);
  return call;
}
