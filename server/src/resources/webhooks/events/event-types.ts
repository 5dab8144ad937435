/** docs/api/events.md, Event types. */
export const eventTypes = [
  "beat.created",
  "beat.updated",
  "beat.purchased",
  "user.registered",
  "user.updated",
] as const;
export type EventType = (typeof eventTypes)[number];

export const isEventType = (text: string): text is EventType => eventTypes.some((type) => type === text);
