type RandomBytes = (count: number) => Buffer;

const letters = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

const timeEnd = "evt_".length + 10;
/** The beginning of the random part of a test event's id. */
const testMark = "TEST";

/** `evt_` and a ULID: ten characters for the Unix milliseconds, sixteen random characters. */
export function eventId(atMs: number, randomBytes: RandomBytes): string {
  const id = firstEventId(atMs) + randomLetters(16, randomBytes);
  return isTestEventId(id) ? eventId(atMs, randomBytes) : id;
}

/** The id of a test event: `TEST` follows the time. */
export const testEventId = (atMs: number, randomBytes: RandomBytes): string =>
  firstEventId(atMs) + testMark + randomLetters(12, randomBytes);

export const isTestEventId = (id: string): boolean => id.startsWith(testMark, timeEnd);

const randomLetters = (count: number, randomBytes: RandomBytes): string =>
  Array.from(randomBytes(count), (byte) => letters[byte % 32]).join("");

/**
 * The lower bound of the event ids of a millisecond: ids from that time on sort after the bound, earlier ids before it.
 */
export function firstEventId(atMs: number): string {
  let time = "";
  for (let remaining = atMs, place = 0; place < 10; place++) {
    time = letters[remaining % 32] + time;
    remaining = Math.floor(remaining / 32);
  }
  return `evt_${time}`;
}

/** Returns one id for each time. Ids of the same millisecond sort in the order of `timesMs`. */
export function eventIds(timesMs: readonly number[], randomBytes: RandomBytes): string[] {
  const ids = timesMs.map((atMs) => eventId(atMs, randomBytes));
  const descending = Map.groupBy(ids, millisecondOf);
  for (const sameMs of descending.values()) sameMs.sort().reverse();
  return ids.map((id) => descending.get(millisecondOf(id))?.pop() ?? id);
}

const millisecondOf = (id: string): string => id.slice(0, timeEnd);
