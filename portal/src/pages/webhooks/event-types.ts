import type { EventType } from "./queries.ts";

/** What each event type tells of, in the order in which they are offered. */
export const eventTypes: Record<EventType, string> = {
  "beat.purchased": "A beat of yours was sold, or you bought one",
  "beat.created": "A new beat was uploaded",
  "beat.updated": "A beat was changed",
  "user.registered": "A new user registered",
  "user.updated": "A user changed their profile",
};

export const eventTypeNames = Object.keys(eventTypes) as EventType[];

/** The subscriptions of an endpoint in a few words. */
export const subscriptionsInWords = (types: readonly EventType[] | null): string =>
  types === null ? "All events" : types.join(", ");
