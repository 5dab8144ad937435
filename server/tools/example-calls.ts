import { LogBatch } from "@beatmarket/request-log/storage/log-batch.ts";
import { writeBatch } from "@beatmarket/request-log/storage/queries.ts";
import type { Queryable } from "../src/database/connect.ts";

/** Inserts a refused request of the account into the log, for the examples of the documents. */
export async function insertExampleCalls(db: Queryable, email: string, timeMs: number): Promise<void> {
  const { id } = await db.selectFrom("users").select("id").where("email", "=", email).executeTakeFirstOrThrow();
  const error = {
    status: 400,
    errorCode: "invalid_request",
    errorMessage: "Invalid parameters",
    errorDetails: "The genre parameter names no genre: trapp. Did you mean trap?",
    refusedBy: "parameter:genre",
  };
  const request = {
    requestId: "01a1f3ad-8e00-7000-8000-000000000001",
    method: "GET",
    operation: "listBeats",
    path: "/v1/beats",
    query: "genre=trapp",
    headers: "accept: application/json\n",
    body: null,
    clientAddress: "203.0.113.7",
    userAgent: "my-app/1.0",
    durationMs: 1.5,
    version: "2026-11-20",
  };
  const { id: apiKeyId } = await db
    .selectFrom("api_keys")
    .select("id")
    .where("user_id", "=", id)
    .orderBy("id")
    .limit(1)
    .executeTakeFirstOrThrow();
  const owner = { apiKeyId, userId: id, fromExplorer: false };
  await writeBatch(db, LogBatch.fromEntries([{ ...owner, ...request, ...error, timeMs, admittedMs: timeMs }]));
}
