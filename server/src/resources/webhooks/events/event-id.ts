import { randomBytes } from "node:crypto";

const letters = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** `evt_` and a ULID: ten letters that sort by milliseconds, sixteen at random. */
export const eventId = (atMs: number): string =>
  `${firstEventId(atMs)}${Array.from(randomBytes(16), (byte) => letters[byte % 32]).join("")}`;

/** What every event id of that millisecond and later sorts behind, and every earlier one before. */
export function firstEventId(atMs: number): string {
  let time = "";
  for (let rest = atMs, place = 0; place < 10; place++) {
    time = letters[rest % 32] + time;
    rest = Math.floor(rest / 32);
  }
  return `evt_${time}`;
}

/** An id for each moment. Those of one millisecond sort in the order given. */
export function eventIds(timesMs: readonly number[]): string[] {
  const ids = timesMs.map(eventId);
  const descending = Map.groupBy(ids, millisecondOf);
  for (const its of descending.values()) its.sort().reverse();
  return ids.map((id) => descending.get(millisecondOf(id))?.pop() ?? id);
}

const millisecondOf = (id: string): string => id.slice(0, "evt_".length + 10);
