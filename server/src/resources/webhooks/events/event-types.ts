interface EventDescription {
  /** When it is sent. */
  summary: string;
  /** Who receives it. */
  audience: string;
}

/** The events that webhooks carry, in the order in which they are listed (docs/api/events.md, Event types). */
export const events = {
  "beat.created": { summary: "A new beat was uploaded.", audience: "every subscriber" },
  "beat.updated": { summary: "A beat was updated, or its exclusive license was sold.", audience: "every subscriber" },
  "beat.purchased": {
    summary: "A beat was purchased.",
    audience: "the seller, the purchaser, and accounts that the operator marked marketplace",
  },
  "user.registered": { summary: "A new user registered.", audience: "every subscriber" },
  "user.updated": { summary: "A user's profile was updated.", audience: "every subscriber" },
} as const satisfies Record<string, EventDescription>;

export type EventType = keyof typeof events;
export const eventTypes = Object.keys(events) as EventType[];

export const isEventType = (text: string): text is EventType => Object.hasOwn(events, text);
