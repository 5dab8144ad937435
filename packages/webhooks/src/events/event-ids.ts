/** The source of ids. */
type RandomBytes = (count: number) => Buffer;

const letters = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

const timeEnd = "evt_".length + 10;
/** Begins the random part of a test event's id, and of no other. */
const testMark = "TEST";

/** `evt_` and a ULID: ten characters for the Unix milliseconds, sixteen random ones. */
export function eventId(atMs: number, randomBytes: RandomBytes): string {
  const id = firstEventId(atMs) + randomLetters(16, randomBytes);
  return isTestEventId(id) ? eventId(atMs, randomBytes) : id;
}

/** The id of an invented event: `TEST` follows the time. */
export const testEventId = (atMs: number, randomBytes: RandomBytes): string =>
  firstEventId(atMs) + testMark + randomLetters(12, randomBytes);

export const isTestEventId = (id: string): boolean => id.startsWith(testMark, timeEnd);

const randomLetters = (count: number, randomBytes: RandomBytes): string =>
  Array.from(randomBytes(count), (byte) => letters[byte % 32]).join("");

/** The lower bound of the event ids of a millisecond: ids from that time on sort after it, earlier ones before. */
export function firstEventId(atMs: number): string {
  let time = "";
  for (let rest = atMs, place = 0; place < 10; place++) {
    time = letters[rest % 32] + time;
    rest = Math.floor(rest / 32);
  }
  return `evt_${time}`;
}

/** One id for each time. Ids of the same millisecond sort in the order given. */
export function eventIds(timesMs: readonly number[], randomBytes: RandomBytes): string[] {
  const ids = timesMs.map((atMs) => eventId(atMs, randomBytes));
  const descending = Map.groupBy(ids, millisecondOf);
  for (const sameMs of descending.values()) sameMs.sort().reverse();
  return ids.map((id) => descending.get(millisecondOf(id))?.pop() ?? id);
}

const millisecondOf = (id: string): string => id.slice(0, timeEnd);
