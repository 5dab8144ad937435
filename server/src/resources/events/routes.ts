import { invalidRequest, notFound } from "@beatmarket/foundation/errors.ts";
import { quoted } from "@beatmarket/foundation/text/secrets.ts";
import { route } from "@beatmarket/http/pipeline/api-route.ts";
import type { EventFeed } from "./feed.ts";
import { eventConsole, eventReference, eventsConsole, eventsReference } from "./present.ts";
import { findEvent } from "./queries.ts";
import { EventId, EventResponse, EventsQuery, EventsResponse, eventIdPattern } from "./schema.ts";
import type { EventStreams } from "./streams.ts";

export const eventRoutes = (feed: EventFeed, streams: EventStreams) => [
  route({
    operationId: "listEvents",
    client: "events.list",
    method: "GET",
    path: "/events",
    tag: "Events",
    summary: "List your events",
    description:
      "The events of the last 30 days that a webhook endpoint of the account would receive, with the same bodies, in the order of commits, none skipped or doubled: for those without a public address. Pass `next` as `after` of the next call; with `wait`, the response comes as soon as there is an event.",
    permission: "events:read",
    query: EventsQuery,
    response: EventsResponse,
    present: { reference: eventsReference, console: eventsConsole },
    waits: true,
    gone: "Events of the account behind `after` were older than 30 days and deleted. Begin without it.",
    eventStream: {
      description:
        "Server-sent events: `id` is the position, `event` the type, `data` the body. The stream stays open, ends after some minutes, and goes on where `Last-Event-ID` says. `limit` and `wait` have no effect on it.",
      example:
        'retry: 3000\n\nid: 7\nevent: user.registered\ndata: {"id":"evt_01M7WD7TG00123456789ABCDEF","created":1795176000,"type":"user.registered","data":{}}\n\n',
      open: (call) => streams.open(call),
    },
    examples: {
      success: { parameters: { type: "beat.updated", limit: 1 } },
      invalid: { parameters: { type: "beat.updatd" } },
    },
    handle: (call) => feed.page(call),
  }),
  route({
    operationId: "getEvent",
    client: "events.get",
    method: "GET",
    path: "/events/:event_id",
    tag: "Events",
    summary: "Get an event",
    description: "One of the account's events of the last 30 days, with the body that webhooks carry.",
    permission: "events:read",
    params: EventId,
    response: EventResponse,
    present: { reference: eventReference, console: eventConsole },
    examples: {
      success: { parameters: { event_id: "evt_01M7WD7TG00123456789ABCDEF" } },
      invalid: { parameters: { event_id: "evt_1" } },
      missing: { parameters: { event_id: "evt_01M7WD7TG0ZZZZZZZZZZZZZZZZ" } },
    },
    handle: async ({ db, caller, params: { event_id: eventId } }) => {
      if (!eventIdPattern.test(eventId))
        throw invalidRequest(
          `The event_id parameter must be evt_ and 26 letters and digits. Given: ${JSON.stringify(quoted(eventId))}.`,
          "event_id",
        );
      const payload = await findEvent(db, caller.userId, eventId);
      if (payload === null) throw notFound(`The event ${eventId} does not exist, or is older than 30 days.`);
      return payload;
    },
  }),
];
