import type { EventPage } from "./event.ts";
import { eventsReference } from "./reference.ts";

/** Events in the console form: the same bodies, since an event has one form. */
export const eventsConsole = (page: EventPage) => ({ data: eventsReference(page) });

/** An event's body in the console form. */
export const eventConsole = (payload: string) => ({ data: JSON.parse(payload) as unknown });
