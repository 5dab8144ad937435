import { randomBytes } from "node:crypto";

const letters = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** `evt_` and a ULID: ten characters for the Unix milliseconds, sixteen random ones. */
export const eventId = (atMs: number): string =>
  `${firstEventId(atMs)}${Array.from(randomBytes(16), (byte) => letters[byte % 32]).join("")}`;

/** The lower bound of the event ids of a millisecond: those from then on sort after it, earlier ones before. */
export function firstEventId(atMs: number): string {
  let time = "";
  for (let rest = atMs, place = 0; place < 10; place++) {
    time = letters[rest % 32] + time;
    rest = Math.floor(rest / 32);
  }
  return `evt_${time}`;
}

/** One id for each time. Ids of the same millisecond sort in the order given. */
export function eventIds(timesMs: readonly number[]): string[] {
  const ids = timesMs.map(eventId);
  const descending = Map.groupBy(ids, millisecondOf);
  for (const sameMs of descending.values()) sameMs.sort().reverse();
  return ids.map((id) => descending.get(millisecondOf(id))?.pop() ?? id);
}

const millisecondOf = (id: string): string => id.slice(0, "evt_".length + 10);
