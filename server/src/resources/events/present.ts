import type { EventPage } from "./event.ts";

/** Events in the reference form: the bodies that webhooks carry. */
export const eventsReference = ({ events, next }: EventPage) => ({
  events: events.map(({ payload }) => JSON.parse(payload) as unknown),
  next,
});

/** An event's body in the reference form. */
export const eventReference = (payload: string) => ({ event: JSON.parse(payload) as unknown });

/** Events in the console form: the same bodies, since an event has one form. */
export const eventsConsole = (page: EventPage) => ({ data: eventsReference(page) });

/** An event's body in the console form. */
export const eventConsole = (payload: string) => ({ data: JSON.parse(payload) as unknown });
