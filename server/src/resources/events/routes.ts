import { invalidRequest, notFound } from "@beatmarket/foundation/errors.ts";
import { quoted } from "@beatmarket/foundation/text/secrets.ts";
import { maxWaitSeconds } from "@beatmarket/http/long-polls.ts";
import { type ResponseSchemas, route } from "@beatmarket/http/pipeline/api-route.ts";
import Type from "typebox";
import { eventTypes } from "../webhooks/event-types.ts";
import { newestEvent } from "../webhooks/outbox.ts";
import type { EventFeed } from "./feed.ts";
import type { EventPage } from "./queries.ts";
import { findEvent } from "./queries.ts";
import type { EventStreams } from "./streams.ts";

/** A prefix and a ULID. */
const eventIdPattern = /^evt_[0-9A-HJKMNP-TV-Z]{26}$/;

const EventId = Type.Object({
  event_id: Type.String({
    pattern: eventIdPattern.source,
    description: "The `id` of the event: `evt_` and 26 letters and digits.",
  }),
});

const anyType = eventTypes.join("|").replaceAll(".", "[.]");

const EventsQuery = Type.Object({
  after: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description:
        "Only events after this position: the `next` of the previous response. Default: from the oldest stored event.",
    }),
  ),
  type: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      // Only for the document. The service reports an unknown type with the nearest name.
      pattern: `^ *(${anyType})( *, *(${anyType}))* *$`,
      description: `Only events of these types, separated by commas: ${eventTypes.join(", ")}. Default: all types, including later ones.`,
    }),
  ),
  limit: Type.Integer({
    minimum: 1,
    maximum: 1_000,
    default: 100,
    description: "The maximum number of events in a response.",
  }),
  wait: Type.Integer({
    minimum: 0,
    maximum: maxWaitSeconds,
    default: 0,
    description:
      "The number of seconds to wait for an event if there is none yet. The response is sent as soon as there is one.",
  }),
});

const Event = Type.Object(
  {
    id: Type.String({ pattern: "^evt_", description: "The event's identifier, the same as in a webhook delivery." }),
    created: Type.Integer({ description: "When it happened, in Unix seconds." }),
    type: Type.Enum([...eventTypes], { description: "The type of the event. New types can be added." }),
    data: Type.Unsafe<Record<string, unknown>>({
      type: "object",
      additionalProperties: true,
      description: "The data of the event: the `data` of the webhook of this type.",
    }),
  },
  { $id: "Event", description: "An event of the account, with the same fields as a webhook." },
);

const EventList = Type.Object({
  events: Type.Array(Event),
  next: Type.Integer({ description: "The position to continue from: the `after` of the next request." }),
});

const EventsResponse: ResponseSchemas = { status: 200, reference: EventList, console: EventList };

const EventResponse: ResponseSchemas = {
  status: 200,
  reference: Type.Object({ event: Event }),
  console: Event,
};

/** Events in the reference form: the bodies of webhooks. */
const eventsReference = ({ events, next }: EventPage) => ({
  events: events.map(({ payload }) => newestEvent(payload)),
  next,
});

/** An event's body in the reference form. */
const eventReference = (payload: string) => ({ event: newestEvent(payload) });

/** Events in the console form, with the same bodies: an event has one form. */
const eventsConsole = (page: EventPage) => ({ data: eventsReference(page) });

/** An event's body in the console form. */
const eventConsole = (payload: string) => ({ data: newestEvent(payload) });

export const eventRoutes = (feed: EventFeed, streams: EventStreams) => [
  route({
    operationId: "listEvents",
    client: "events.list",
    method: "GET",
    path: "/events",
    tag: "Events",
    summary: "List your events",
    description:
      "Returns the events of the last 30 days that a webhook endpoint of the account would receive, with the same bodies, in the order of commits, without gaps and repetitions. Programs without a public address use it instead of webhooks. Pass `next` as `after` of the next request; with `wait`, the response is sent as soon as there is an event.",
    permission: "events:read",
    query: EventsQuery,
    response: EventsResponse,
    present: { reference: eventsReference, console: eventsConsole },
    waits: true,
    gone: "Events after `after` are older than 30 days, and deleted. Begin without `after`.",
    eventStream: {
      description:
        "Server-sent events: `id` is the position, `event` the type, `data` the body. The stream ends after some minutes; the client continues from `Last-Event-ID`. `limit` and `wait` have no effect on it.",
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
    description: "Returns one of the account's events of the last 30 days, with the body that webhooks have.",
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
