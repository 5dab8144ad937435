import { randomBytes } from "node:crypto";
import type { Queryable } from "../../database/connect.ts";
import type { EventType } from "./event-types.ts";

/** Something that happened, as subscribers will be told. */
export interface EventFact {
  type: EventType;
  /** `data` of the payload, made by the presenter that the API uses. */
  data: object;
  /** When it happened. */
  at: Date;
  /** The accounts that may know of it, beside those marked marketplace; "everyone" for what is public anyway. */
  audience: readonly number[] | "everyone";
}

const maxRowsPerStatement = 5_000;

/**
 * Writes events into the outbox (contract 6.2). `transaction` must be the one that makes the fact true, so that there
 * is exactly one event for each fact, whatever crashes when.
 */
export async function emitEvents(transaction: Queryable, facts: readonly EventFact[]): Promise<void> {
  for (let start = 0; start < facts.length; start += maxRowsPerStatement)
    await transaction
      .insertInto("events")
      .values(facts.slice(start, start + maxRowsPerStatement).map(eventRow))
      .execute();
}

function eventRow({ type, data, at, audience }: EventFact) {
  const id = eventId(at.getTime());
  const created = Math.floor(at.getTime() / 1000);
  return {
    id,
    type,
    created_at: at,
    payload: JSON.stringify({ id, created, type, data }),
    audience: audience === "everyone" ? null : [...audience],
  };
}

const letters = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** `evt_` and a ULID: ten letters that sort by milliseconds, sixteen at random. */
function eventId(atMs: number): string {
  let time = "";
  for (let rest = atMs, place = 0; place < 10; place++) {
    time = letters[rest % 32] + time;
    rest = Math.floor(rest / 32);
  }
  return `evt_${time}${Array.from(randomBytes(16), (byte) => letters[byte % 32]).join("")}`;
}
