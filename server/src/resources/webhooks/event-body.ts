import { type ApiVersion, firstVersion, newestVersion, versionOf } from "../../access/versions.ts";

/** The body of an event in the newest shape. */
export interface EventBody {
  id: string;
  /** ISO 8601, whole seconds. */
  created_at: string;
  type: string;
  data: object;
}

/** What `events.payload` has: the shape of the first version, whatever is newest, so that older releases can send it. */
interface StoredEvent extends Omit<EventBody, "created_at"> {
  /** Unix seconds. */
  created: number;
}

/** Reads a stored event. */
export function newestEvent(payload: string): EventBody {
  const { id, created, ...rest } = JSON.parse(payload) as StoredEvent;
  return { id, created_at: `${new Date(created * 1_000).toISOString().slice(0, -5)}Z`, ...rest };
}

/** The version of the events of an endpoint; the first one if its own no longer exists. */
export const eventVersion = (date: string): ApiVersion => versionOf(date) ?? firstVersion;

/** The body of an event in the version with this date, as JSON; in the first version the stored bytes. */
export function eventJson(payload: string, date: string): string {
  const { date: known, reshapeEvent } = eventVersion(date);
  if (known === firstVersion.date) return payload;
  const newest = newestEvent(payload);
  return JSON.stringify(known === newestVersion.date ? newest : reshapeEvent?.(newest));
}
