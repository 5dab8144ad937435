import type { EventPage } from "./event.ts";

/** Events in the reference form: the bodies that webhooks carry. */
export const eventsReference = ({ events, next }: EventPage) => ({
  events: events.map(({ payload }) => JSON.parse(payload) as unknown),
  next,
});

/** An event's body in the reference form. */
export const eventReference = (payload: string) => ({ event: JSON.parse(payload) as unknown });
