import type { CallShape } from "../entry.ts";
import type { LogBlock } from "../storage/block.ts";
import type { StoredCall } from "../storage/call-store.ts";
import { msOf, nsOf, nsOfText, positionOf, timeText } from "./times.ts";

/** A row of the engine: it has only texts, and empty fields are absent. */
export type Row = Record<string, string | undefined>;

/** The engine stores calls with the same account and key together. */
export const streamFields = "account,key";
/** The account and key of a call with an unknown key. */
export const absentId = "none";

/** Fields that may be empty or null. The engine does not distinguish these, so each row lists its empty fields. */
const nullable = {
  operation: "operation",
  errorCode: "error_code",
  errorMessage: "error_message",
  errorDetails: "error_details",
  refusedBy: "refused_by",
  body: "body",
  version: "version",
} as const;
type Nullable = keyof typeof nullable;
const nullableFields = Object.entries(nullable) as [Nullable, string][];

/** Makes the times of calls in one millisecond distinct, in the order in which they are written. */
let sequence = Math.floor(Math.random() * 1_000_000);

/** A block's calls as lines of JSON. Each has a distinct time, so that a repeated line can be recognised. */
export function linesOf(block: LogBlock): string {
  const { apiKeyId, userId, fromExplorer } = block.owner;
  const owner = {
    account: String(userId ?? absentId),
    key: String(apiKeyId ?? absentId),
    ...(fromExplorer && explorerMark),
  };
  const ends = block.shapes.map((shape) => JSON.stringify({ ...owner, ...fieldsOf(shape) }).slice(1));
  let lines = "";
  for (let index = 0; index < block.calls; index++) {
    sequence = (sequence + 1) % 1_000_000;
    const timeMs = block.timeMs(index);
    const admittedMs = block.admittedMs(index);
    const call = {
      _time: timeText(nsOf(timeMs) + BigInt(sequence)),
      request_id: block.requestId(index),
      duration_us: String(Math.round(block.durationMs(index) * 1000)),
      ...(admittedMs !== null && { admitted_after_ms: String(admittedMs - timeMs) }),
    };
    lines += `${JSON.stringify(call).slice(0, -1)},${ends[block.shapeIndex(index)]}\n`;
  }
  return lines;
}

const explorerMark = { explorer: "1" };

function fieldsOf(shape: CallShape): Row {
  const empty = nullableFields.filter(([name]) => shape[name] === "").map(([, field]) => field);
  const fields: Row = {
    // The pages of the engine show only this field of a row.
    _msg: shape.path.toWellFormed(),
    method: shape.method,
    query: shape.query.toWellFormed(),
    status: String(shape.status),
    headers: shape.headers.toWellFormed(),
    client: shape.clientAddress.toWellFormed(),
    user_agent: shape.userAgent.toWellFormed(),
    empty: empty.join(),
  };
  for (const [name, field] of nullableFields) fields[field] = shape[name]?.toWellFormed();
  return fields;
}

/** The call of a row. */
export function callOf(row: Row): StoredCall {
  const ns = nsOfText(row._time ?? "");
  const empty = new Set(row.empty?.split(","));
  const textOf = (name: Nullable) => row[nullable[name]] ?? (empty.has(nullable[name]) ? "" : null);
  const numberOf = (text: string | undefined) => (text === undefined || text === absentId ? null : Number(text));
  return {
    id: positionOf(ns).id,
    timeMs: msOf(ns),
    durationMs: Number(row.duration_us ?? 0) / 1000,
    requestId: row.request_id ?? "",
    apiKeyId: numberOf(row.key),
    userId: numberOf(row.account),
    fromExplorer: row.explorer === "1",
    method: row.method ?? "",
    operation: textOf("operation"),
    path: row._msg ?? "",
    query: row.query ?? "",
    status: Number(row.status),
    errorCode: textOf("errorCode"),
    errorMessage: textOf("errorMessage"),
    errorDetails: textOf("errorDetails"),
    refusedBy: textOf("refusedBy"),
    headers: row.headers ?? "",
    body: textOf("body"),
    clientAddress: row.client ?? "",
    userAgent: row.user_agent ?? "",
    version: textOf("version"),
  };
}
