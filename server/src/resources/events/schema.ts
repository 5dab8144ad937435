import { maxWaitSeconds } from "@beatmarket/http/long-polls.ts";
import type { ResponseSchemas } from "@beatmarket/http/pipeline/api-route.ts";
import Type from "typebox";
import { eventTypes } from "../webhooks/events/event-types.ts";

/** A ULID behind its prefix. */
export const eventIdPattern = /^evt_[0-9A-HJKMNP-TV-Z]{26}$/;

export const EventId = Type.Object({
  event_id: Type.String({
    pattern: eventIdPattern.source,
    description: "The `id` of the event: `evt_` and 26 letters and digits.",
  }),
});

const anyType = eventTypes.join("|").replaceAll(".", "[.]");

export const EventsQuery = Type.Object({
  after: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description:
        "Only events behind this position: the `next` of the last response. Without it, from the oldest event that is kept.",
    }),
  ),
  type: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      // For the document: what is refused is told with the nearest name.
      pattern: `^ *(${anyType})( *, *(${anyType}))* *$`,
      description: `Only events of these types, separated by commas: ${eventTypes.join(", ")}. Without it, all, types added later too.`,
    }),
  ),
  limit: Type.Integer({ minimum: 1, maximum: 1_000, default: 100, description: "Events per response." }),
  wait: Type.Integer({
    minimum: 0,
    maximum: maxWaitSeconds,
    default: 0,
    description: "Seconds to wait for the first event when there is none. The response comes as soon as there is one.",
  }),
});

const Event = Type.Object(
  {
    id: Type.String({ pattern: "^evt_", description: "The event's identifier; the same as in a webhook delivery." }),
    created: Type.Integer({ description: "When it happened, Unix seconds." }),
    type: Type.Enum([...eventTypes], { description: "Types may be added." }),
    data: Type.Unsafe<Record<string, unknown>>({
      type: "object",
      additionalProperties: true,
      description: "By type: the `data` of the webhook of that name.",
    }),
  },
  { $id: "Event", description: "An event of the account, as webhooks carry it." },
);

const EventList = Type.Object({
  events: Type.Array(Event),
  next: Type.Integer({ description: "The position to go on from, as `after` of the next call." }),
});

export const EventsResponse: ResponseSchemas = { status: 200, reference: EventList, console: EventList };

export const EventResponse: ResponseSchemas = {
  status: 200,
  reference: Type.Object({ event: Event }),
  console: Event,
};
